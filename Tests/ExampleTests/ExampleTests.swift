// The examples as their users have them, several at once.

import AVFoundation
import Foundation
import GroupActivities
import GroupActivitiesTesting
import Testing

@testable import DrawTogether
@testable import ListenTogether
@testable import PhotoGallery
@testable import WatchTogether

@Suite(.timeLimit(.minutes(2)))
@MainActor struct ExampleTests {
    @Test func `a gallery shows everybody the photos of all, also those from before and to those who come later`() async throws {
        try await withConversation(of: 2) { conversation in
            let galleries = conversation.participants.map { participant in participant.make { AppModel(name: participant.name) } }
            let photo = Data(base64Encoded: "R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")!
            let date = Date(timeIntervalSince1970: 1_777_777_777)
            try await conversation[0].run { await galleries[0].add(photo, name: "dot.gif", at: date) }
            try await conversation[1].run { await galleries[1].share() }
            try await conversation.settle()
            try await conversation[1].run { await galleries[1].add(Data(repeating: 7, count: 3_000_000), name: "large.jpg") }
            let late = try await conversation.join()
            let third = late.make { AppModel(name: late.name) }
            try await conversation.settle()
            for gallery in galleries + [third] {
                let images = try #require(gallery.sessionController?.receivedImages.values)
                #expect(images.count == 2)
                let dot = try #require(images.first { $0.imageData == photo }?.details)
                #expect(dot.owner == "Ana" && dot.name == "dot.gif" && dot.type == "image/gif" && dot.width == 1 && dot.addedAt == 1_777_777_777_000 && dot.size == photo.count)
            }
            let id = try #require(galleries[0].localImages.first?.id)
            try await late.run { await third.sessionController?.remove(id) }
            try await conversation.settle()
            for gallery in galleries + [third] { #expect(gallery.sessionController?.receivedImages.count == 1) }
        }
    }

    @Test func `what a browser says of a photo is read, whatever is missing`() throws {
        let full =
            #"{"version":1,"photo":"p","name":"a.jpg","type":"image/jpeg","size":5,"width":4,"height":3,"takenAt":"2026-05-01T12:30:00","addedAt":17,"owner":"Eva","animated":false,"thumbnail":null}"#
        let details = try JSONDecoder().decode(PhotoDetails.self, from: Data(full.utf8))
        #expect(details.owner == "Eva" && details.takenAt == "2026-05-01T12:30:00" && details.thumbnail == nil && details.width == 4)
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(details)) as? [String: Any]
        let read = try JSONSerialization.jsonObject(with: Data(full.utf8)) as? [String: Any]
        #expect(written.map { Set($0.keys) } == read.map { Set($0.keys).subtracting(["thumbnail"]) })
        #expect(try JSONDecoder().decode(PhotoDetails.self, from: Data("{}".utf8)).owner == "")
    }

    @Test func `a drawing is the same for all, with pictures and for a newcomer`() async throws {
        try await withConversation(of: 2) { conversation in
            let canvases = conversation.everybody { Canvas() }
            try await conversation[0].run { try await DrawTogetherActivity().activate() }
            try await conversation.settle()
            canvases[0].draw("#", column: 1, row: 2)
            canvases[1].draw("o", column: 3, row: 4)
            try await conversation[1].run { try await canvases[1].put(Data([1, 2, 3]), at: PicturePlace(column: 5, row: 6)) }
            try await conversation.settle()
            let late = try await conversation.join()
            let third = late.make { Canvas() }
            try await conversation.settle()
            for canvas in canvases + [third] {
                #expect(Set(canvas.strokes.map(\.character)) == ["#", "o"] && canvas.strokes.count == 2)
                #expect(canvas.pictures.values.map(\.place) == [PicturePlace(column: 5, row: 6)] && canvas.pictures.values.first?.data == Data([1, 2, 3]))
            }
        }
    }

    @Test func `a film runs for all at the same place, and another film for all`() async throws {
        try await withConversation(of: 2) { conversation in
            let models = try conversation.everybody { try WatchModel() }
            try await conversation[0].run { try await models[0].watch("Tides") }
            try await conversation.settle()
            await conversation.advance(by: .seconds(3))
            models[1].play()
            await conversation.advance(by: .seconds(10))
            let places = models.map { $0.player.time.seconds }
            try conversation.check("both play at one place: \(places)", models.allSatisfy { $0.player.rate == 1 } && abs(places[0] - places[1]) < 0.05 && places[0] > 5)
            models[0].seek(to: 100)
            await conversation.advance(by: .seconds(5))
            try conversation.check("both are behind the place: \(models.map { $0.player.time.seconds })", models.allSatisfy { $0.player.time.seconds > 100 })
            models[0].pause()
            await conversation.advance(by: .seconds(2))
            try conversation.check("both stand", models.allSatisfy { $0.player.rate == 0 })
            try await conversation[1].run { try await models[1].watch("Storms") }
            try await conversation.settle()
            #expect(models.map(\.film) == ["Storms", "Storms"])
        }
    }

    @Test func `listeners hear each other's words and know how many they are`() async throws {
        try await withConversation(of: 3) { conversation in
            let managers = conversation.everybody { ListenManager() }
            try await conversation.settle()
            let outcome = try await conversation[0].run { await managers[0].startSharing() }
            #expect(outcome == .shared)
            try await conversation.settle()
            try await conversation[2].run { try await managers[2].send("the second song") }
            try await conversation.settle()
            #expect(managers.map(\.participantCount) == [3, 3, 3])
            #expect(managers.map(\.messages) == [["the second song"], ["the second song"], []])
            managers[1].session?.leave()
            try await conversation.settle()
            #expect(managers.map(\.participantCount) == [2, 0, 2])
        }
    }
}
