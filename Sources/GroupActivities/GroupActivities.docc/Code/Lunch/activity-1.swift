// What people do together here: they vote on where to eat.

import GroupActivities

struct LunchActivity: GroupActivity {
    static let activityIdentifier = "org.example.lunch"

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.title = "Where do we eat?"
        metadata.type = .generic
        return metadata
    }
}
