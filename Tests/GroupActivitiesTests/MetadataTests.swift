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
        #expect(PhotoWallActivity._identifiable(by: PhotoWallActivity.activityIdentifier) && !PhotoWallActivity._identifiable(by: "PhotoWallActivity"))
        #expect(PhotoWallActivity._identifiable(by: "elsewhere", staticIdentifier: PhotoWallActivity.activityIdentifier))
        #expect(PhotoWallActivity._identifiable(by: PhotoWallActivity.activityIdentifier, staticIdentifier: nil))
    }

    @Test func `metadata says nothing until it is told`() {
        let metadata = GroupActivityMetadata()
        #expect(metadata.type == .generic && metadata.title == nil && metadata.subtitle == nil && metadata.previewImage == nil && metadata.fallbackURL == nil)
        #expect(metadata.preferredBroadcastOptions == [] && !metadata.supportsContinuationOnTV)
        #expect(metadata.sceneAssociationBehavior == .default && metadata.lifetimePolicy == .automatic && metadata.lifetimePolicy != .endsWhenInitiatorLeaves)
    }

    @Test func `rules for scenes and options of broadcasts are kept apart, and travel`() throws {
        let rules: [SceneAssociationBehavior] = [.default, .none, .content("a"), .content("b")]
        for (index, rule) in rules.enumerated() {
            #expect(rules.firstIndex(of: rule) == index)
            var metadata = GroupActivityMetadata()
            metadata.sceneAssociationBehavior = rule
            metadata.preferredBroadcastOptions = BroadcastOptions(rawValue: 4).union(.mirroredVideo)
            let decoded = try JSONDecoder().decode(GroupActivityMetadata.self, from: JSONEncoder().encode(metadata))
            #expect(decoded.sceneAssociationBehavior == rule && decoded.preferredBroadcastOptions.rawValue == 4 | BroadcastOptions.mirroredVideo.rawValue)
            #expect(decoded.preferredBroadcastOptions.contains(.mirroredVideo) && decoded.preferredBroadcastOptions != .mirroredVideo)
        }
    }

    @Test func `older names read and set what took their place`() throws {
        try (OlderNames() as any OlderCode).check()
    }
}

/// Calls what is deprecated without a warning.
private protocol OlderCode {
    func check() throws
}

private struct OlderNames: OlderCode {
    @available(*, deprecated)
    func check() throws {
        var metadata = GroupActivityMetadata()
        #expect(metadata.experience == nil)
        for (experience, type) in [(GroupActivityMetadata.Experience.watchTogether, GroupActivityMetadata.ActivityType.watchTogether), (.listenTogether, .listenTogether)] {
            metadata.experience = experience
            #expect(metadata.type == type && metadata.experience == experience)
            #expect(try JSONDecoder().decode(GroupActivityMetadata.Experience.self, from: JSONEncoder().encode(experience)) == experience)
        }
        metadata.experience = nil
        metadata.localizedTitle = "Title"
        metadata.localizedSubtitle = "Subtitle"
        #expect(metadata.type == .generic && metadata.title == "Title" && metadata.subtitle == "Subtitle")
        metadata.title = "Other"
        #expect(metadata.localizedTitle == "Other" && metadata.localizedSubtitle == "Subtitle")
    }
}
