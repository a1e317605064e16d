// What is shared: one gallery of photos, the same activity as the gallery in the browser.

import CoreTransferable
import GroupActivities

struct PhotoShareActivity: GroupActivity, Transferable {
    static let activityIdentifier = "org.hearth.photo-gallery"

    var title = "Shared photos"

    var metadata: GroupActivityMetadata {
        var metadata = GroupActivityMetadata()
        metadata.type = .generic
        metadata.title = title
        metadata.subtitle = "Photos for everyone who is here"
        return metadata
    }
}
