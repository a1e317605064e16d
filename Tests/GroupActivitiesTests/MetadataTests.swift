// What people are told of an activity, and how it is written down.

import CoreGraphics
import GroupActivities
import Testing

@Suite struct MetadataTests {
    @Test func `every type of activity comes back from JSON, and an unknown one is kept`() throws {
        let types: [GroupActivityMetadata.ActivityType] = [
            .generic, .listenTogether, .watchTogether, .playTogether, .workoutTogether, .shopTogether, .readTogether, .exploreTogether, .learnTogether, .createTogether,
        ]
        #expect(Set(types).count == 10)
        for type in types {
            var metadata = GroupActivityMetadata()
            metadata.type = type
            #expect(try JSONDecoder().decode(GroupActivityMetadata.self, from: JSONEncoder().encode(metadata)) == metadata)
        }
        let later = try JSONDecoder().decode(GroupActivityMetadata.self, from: Data(#"{"type":"singTogether"}"#.utf8))
        #expect(String(decoding: try JSONEncoder().encode(later), as: UTF8.self).contains("singTogether"))
    }

    @Test func `every field comes back from JSON`() throws {
        var metadata = GroupActivityMetadata()
        metadata.title = "Title"
        metadata.subtitle = "Subtitle"
        metadata.fallbackURL = URL(string: "https://example.org/a?b=c")
        metadata.preferredBroadcastOptions = .mirroredVideo
        metadata.supportsContinuationOnTV = true
        metadata.sceneAssociationBehavior = .content("board")
        metadata.lifetimePolicy = .endsWhenInitiatorLeaves
        metadata.previewImage = CGImage(encodedData: Data(base64Encoded: "R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")!)
        #expect(metadata.previewImage != nil)
        let decoded = try JSONDecoder().decode(GroupActivityMetadata.self, from: JSONEncoder().encode(metadata))
        #expect(decoded == metadata)
        metadata.sceneAssociationBehavior = .none
        #expect(try JSONDecoder().decode(GroupActivityMetadata.self, from: JSONEncoder().encode(metadata)) == metadata)
        #expect(decoded != metadata)
    }

    @Test func `metadata of a browser is read, and what does not fit is left out`() throws {
        let written = #"{"title":"Shared photos","subtitle":"Photos for everyone who is here","type":"generic","fallbackURL":7,"more":[]}"#
        let metadata = try JSONDecoder().decode(GroupActivityMetadata.self, from: Data(written.utf8))
        #expect(metadata.title == "Shared photos" && metadata.type == .generic && metadata.fallbackURL == nil && metadata.lifetimePolicy == .automatic)
        #expect(try JSONDecoder().decode(GroupActivityMetadata.self, from: Data("null".utf8)) == GroupActivityMetadata())
    }

    @Test func `an activity's default identifier is the program's and the type's name`() {
        #expect(PhotoWallActivity.activityIdentifier.hasSuffix(".PhotoWallActivity"))
        #expect(PhotoWallActivity.activityIdentifier != ".PhotoWallActivity")
        #expect(PhotoWallActivity._identifiable(by: PhotoWallActivity.activityIdentifier))
    }
}
