// Attachments as an app shares them.

import GroupActivities
import GroupActivitiesTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
@MainActor struct JournalTests {
    private func wall(of count: Int, _ body: @MainActor (TestConversation, [PhotoWallModel]) async throws -> Void) async throws {
        try await withConversation(of: count) { conversation in
            let names = conversation.participants.map(\.name)
            let apps = conversation.participants.map { participant in participant.make { PhotoWallModel(name: participant.name) } }
            #expect(apps.map(\.name) == names)
            try await conversation[0].run { _ = try await PhotoWallActivity().activate() }
            try await conversation.settle()
            try await body(conversation, apps)
            for app in apps { #expect(app.controller?.errors ?? [] == []) }
        }
    }

    @Test func `a photo added by one is with all, with its owner`() async throws {
        try await wall(of: 3) { conversation, apps in
            try await conversation[1].run { await apps[1].take(2_000_000) }
            try await conversation.settle()
            for app in apps { #expect(app.controller?.received.values.map(\.owner) == ["Ben"]) }
            #expect(apps[0].controller?.received == apps[1].controller?.received)
        }
    }

    @Test func `a photo added before the third participant came is there when they arrive, and nobody uploads it again`() async throws {
        try await wall(of: 2) { conversation, apps in
            try await conversation[0].run { await apps[0].take(100_000) }
            try await conversation.settle()
            let late = try await conversation.join()
            let app = late.make { PhotoWallModel(name: "Cleo") }
            try await conversation.settle()
            #expect(app.controller?.received.values.map(\.owner) == ["Ana"])
            #expect(apps[0].controller?.attachments.count == 1)
        }
    }

    @Test func `photos from before the session are shared when it starts`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.participants.map { participant in participant.make { PhotoWallModel(name: participant.name) } }
            try await conversation[0].run { await apps[0].take(10) }
            try await conversation[1].run { _ = try await PhotoWallActivity().activate() }
            try await conversation.settle()
            #expect(apps[1].controller?.received.count == 1)
        }
    }

    @Test func `anybody may remove a photo, and it is gone for all`() async throws {
        try await wall(of: 3) { conversation, apps in
            try await conversation[0].run {
                await apps[0].take(10)
                await apps[0].take(20)
            }
            try await conversation.settle()
            let id = try #require(apps[2].controller?.received.values.first { $0.imageData.count == 10 }?.id)
            await apps[2].controller?.remove(id)
            try await conversation.settle()
            for app in apps { #expect(app.controller?.received.values.map(\.imageData.count) == [20]) }
        }
    }

    @Test func `a photo stays when the one who added it has left`() async throws {
        try await wall(of: 3) { conversation, apps in
            try await conversation[0].run { await apps[0].take(10) }
            try await conversation.settle()
            await conversation[0].leave()
            try await conversation.settle()
            #expect(apps[1].controller?.received.count == 1)
            let late = try await conversation.join()
            let app = late.make { PhotoWallModel(name: "Dan") }
            try await conversation.settle()
            #expect(app.controller?.received.count == 1)
        }
    }

    @Test func `uploads and loads go on through cuts and a crash of the relay`() async throws {
        try await wall(of: 2) { conversation, apps in
            try await conversation[0].run { await apps[0].take(3_000_000) }
            conversation[1].cut()
            try await conversation.network.crashRelay()
            try await conversation[1].run { await apps[1].take(1_500_000) }
            try await conversation.settle()
            try await conversation.eventually("both have both photos") { apps.allSatisfy { $0.controller?.received.count == 2 } }
        }
    }

    @Test func `what is larger than the limit is refused by name and number`() async throws {
        try await wall(of: 1) { _, apps in
            let controller = try #require(apps[0].controller)
            let error = await #expect(throws: HearthError.self) { _ = try await controller.journal.add(Data(count: 100_000_001)) }
            #expect(error?.code == .attachmentTooLarge && error?.limit == 100_000_000 && error?.value == 100_000_001)
            let metadata = String(repeating: "x", count: 70_000)
            let second = await #expect(throws: HearthError.self) { _ = try await controller.journal.add(Data(), metadata: metadata) }
            #expect(second?.code == .metadataTooLarge && second?.limit == 65_536 && second?.value == 70_002)
        }
    }

    @Test func `an attachment that the relay has changed is refused`() async throws {
        try await withConversation(of: 2) { conversation in
            let apps = conversation.participants.map { participant in participant.make { PhotoWallModel(name: participant.name) } }
            try await conversation[0].run { _ = try await PhotoWallActivity().activate() }
            try await conversation.settle()
            conversation.network.tamperWithAttachments()
            try await conversation[0].run { await apps[0].take(1_000) }
            try await conversation.settle()
            #expect(apps[1].controller?.received.isEmpty == true)
            #expect(apps[1].controller?.errors == ["tampered"])
        }
    }

    @Test func `data and text are attachments as they are`() async throws {
        try await wall(of: 2) { conversation, apps in
            let (one, other) = (try #require(apps[0].controller), try #require(apps[1].controller))
            var lists = other.journal.attachments.makeAsyncIterator()
            #expect(await lists.next()?.isEmpty == true)
            let attachment = try await one.journal.add("hello")
            let list = try #require(await lists.next())
            #expect(list.map(\.id) == [attachment.id] && list[0].owner?.displayName == "Ana" && list[0].sizeBytes == 5)
            #expect(try await list[0].load(String.self) == "hello")
            #expect(try await list[0].load(Data.self) == Data("hello".utf8))
            try await other.journal.remove(attachment: list[0])
            #expect(await lists.next()?.isEmpty == true)
            await #expect(throws: HearthError.self) { _ = try await list[0].load(Data.self) }
            // The wall's own loop meets metadata that is none of its own.
            one.errors = []
            other.errors = []
            try await conversation.settle()
            one.errors = []
            other.errors = []
        }
    }
}
