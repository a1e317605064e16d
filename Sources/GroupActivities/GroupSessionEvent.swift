// Who did what, for a notice on this device.

import Foundation

/// A user's action, to be shown by `showNotice`. Apple: GroupActivities/GroupSessionEvent.
public struct GroupSessionEvent: Sendable {
    public let originator: Participant
    public let action: Action
    public let url: URL?

    public init(originator: Participant, action: Action, url: URL?) {
        self.originator = originator
        self.action = action
        self.url = url
    }

    /// Apple: GroupActivities/GroupSessionEvent/Action.
    public struct Action: Sendable {
        /// What is shown behind the participant's name.
        let words: String

        public static let play = Action(words: "started playing")
        public static let pause = Action(words: "paused")
        public static let seek = Action(words: "moved to another place")
        public static let updatedQueue = Action(words: "changed the queue")
        public static func skip(item: String) -> Action { Action(words: "skipped \(item)") }
        public static func updatedQueue(_ change: QueueChange) -> Action { Action(words: change.words) }

        /// Apple: GroupActivities/GroupSessionEvent/Action/QueueChange.
        public struct QueueChange: Sendable {
            let words: String

            public static func setUpNext(_ item: Item) -> QueueChange { QueueChange(words: "put \(item.name) next") }
            public static func added(_ item: Item) -> QueueChange { QueueChange(words: "added \(item.name)") }

            /// Apple: GroupActivities/GroupSessionEvent/Action/QueueChange/Item.
            public struct Item: Sendable {
                let name: String

                public static func song(_ name: String) -> Item { Item(name: name) }
                /// An album, a playlist and the like.
                public static func container(_ name: String) -> Item { Item(name: name) }
            }
        }
    }
}
