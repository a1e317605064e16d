// A photo with what is said of it.

import CoreTransferable
import Foundation
import UniformTypeIdentifiers

/// The bytes of a photo's file as they are; what is said of it travels at its side.
struct DisplayImage: Transferable, Identifiable, Equatable {
    var id: String
    var imageData: Data
    var details: PhotoDetails?

    static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(contentType: .image, exporting: { $0.imageData }, importing: { DisplayImage(id: "", imageData: $0) })
    }
}

/// What everybody has of a photo before it is loaded, in the gallery's own words (`Web/gallery/photos/metadata.js`). Anything may be missing
/// in what others write.
struct PhotoDetails: Codable, Equatable {
    var version = 1
    var photo: String
    var name: String
    var type: String
    var size: Int
    var width: Int
    var height: Int
    /// As the camera's clock had it: `2026-05-01T12:30:00`.
    var takenAt: String?
    /// Milliseconds since 1970.
    var addedAt: Int
    var owner: String
    var animated: Bool
    /// Base64.
    var thumbnail: String?

    init(photo: String, name: String, type: String, size: Int, width: Int, height: Int, addedAt: Date, owner: String) {
        (self.photo, self.name, self.type, self.size, self.width, self.height) = (photo, name, type, size, width, height)
        (self.addedAt, self.owner, animated) = (Int(addedAt.timeIntervalSince1970 * 1_000), owner, false)
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        photo = (try? fields.decode(String.self, forKey: .photo)) ?? ""
        name = (try? fields.decode(String.self, forKey: .name)) ?? ""
        type = (try? fields.decode(String.self, forKey: .type)) ?? ""
        size = (try? fields.decode(Int.self, forKey: .size)) ?? 0
        width = (try? fields.decode(Int.self, forKey: .width)) ?? 0
        height = (try? fields.decode(Int.self, forKey: .height)) ?? 0
        takenAt = try? fields.decode(String.self, forKey: .takenAt)
        addedAt = (try? fields.decode(Int.self, forKey: .addedAt)) ?? 0
        owner = (try? fields.decode(String.self, forKey: .owner)) ?? ""
        animated = (try? fields.decode(Bool.self, forKey: .animated)) ?? false
        thumbnail = try? fields.decode(String.self, forKey: .thumbnail)
    }
}
