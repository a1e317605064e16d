// What people are told of an activity before they join it.

import CoreGraphics
import Foundation

/// The text, picture and kind of an activity as invitations show them. Apple: GroupActivities/GroupActivityMetadata.
public struct GroupActivityMetadata: Equatable, Sendable {
    public var type = ActivityType.generic
    public var title: String?
    public var subtitle: String?
    /// Travels as its encoded bytes: keep it to a few kilobytes.
    public var previewImage: CGImage?
    public var fallbackURL: URL?
    public var preferredBroadcastOptions: BroadcastOptions = []
    public var supportsContinuationOnTV = false
    public var sceneAssociationBehavior = SceneAssociationBehavior.default
    public var lifetimePolicy = LifetimePolicy.automatic

    public init() {}

    @available(*, deprecated, renamed: "title")
    public var localizedTitle: String? {
        get { title }
        set { title = newValue }
    }

    @available(*, deprecated, renamed: "subtitle")
    public var localizedSubtitle: String? {
        get { subtitle }
        set { subtitle = newValue }
    }

    /// Apple: GroupActivities/GroupActivityMetadata/Experience.
    @available(*, deprecated, renamed: "ActivityType")
    public enum Experience: Int, Codable {
        case watchTogether, listenTogether
    }

    @available(*, deprecated, renamed: "type")
    public var experience: Experience? {
        get { type == .watchTogether ? .watchTogether : type == .listenTogether ? .listenTogether : nil }
        set { type = newValue.map { $0 == .watchTogether ? .watchTogether : .listenTogether } ?? .generic }
    }

    /// An open set of constants. Apple: GroupActivities/GroupActivityMetadata/ActivityType.
    public struct ActivityType: Hashable, Sendable {
        let word: String

        public static let generic = Self(word: "generic")
        public static let listenTogether = Self(word: "listenTogether")
        public static let watchTogether = Self(word: "watchTogether")
        public static let playTogether = Self(word: "playTogether")
        public static let workoutTogether = Self(word: "workoutTogether")
        public static let shopTogether = Self(word: "shopTogether")
        public static let readTogether = Self(word: "readTogether")
        public static let exploreTogether = Self(word: "exploreTogether")
        public static let learnTogether = Self(word: "learnTogether")
        public static let createTogether = Self(word: "createTogether")
    }

    /// How the activity may end. Apple: GroupActivities/GroupActivityMetadata/LifetimePolicy.
    public struct LifetimePolicy: Hashable, Sendable {
        let word: String

        /// When the last participant leaves it, or when anybody ends it.
        public static let automatic = Self(word: "automatic")
        /// Also when the one who began it leaves it.
        public static let endsWhenInitiatorLeaves = Self(word: "endsWhenInitiatorLeaves")
    }
}

/// Which scene of an app an activity belongs to: carried along, without effect here. Apple: GroupActivities/SceneAssociationBehavior.
public struct SceneAssociationBehavior: Equatable, Sendable {
    enum Rule: Equatable, Sendable {
        case standard, never
        case content(String)
    }
    let rule: Rule

    public static let `default` = Self(rule: .standard)
    public static let none = Self(rule: .never)
    public static func content(_ contentIdentifier: String) -> SceneAssociationBehavior { Self(rule: .content(contentIdentifier)) }
}

/// How pictures of people should be shown during the activity: carried along, a hint. Apple: GroupActivities/BroadcastOptions.
public struct BroadcastOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let mirroredVideo = BroadcastOptions(rawValue: 1)
}
