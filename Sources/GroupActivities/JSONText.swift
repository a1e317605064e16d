// JSON as it goes to other participants and comes from them, who may be browsers.

import Foundation
import OSLog

enum JSONText {
    static func encode(_ value: some Encodable) -> [UInt8] { (try? Array(encoder.encode(value))) ?? Array("null".utf8) }

    static func encodeOrThrow(_ value: some Encodable) throws -> [UInt8] { Array(try encoder.encode(value)) }

    static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try decoder.decode(type, from: Data(json))
    }

    // Sorted, so that equal values give equal bytes.
    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The length of a film that has none yet is a usual thing to send.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return encoder
    }

    static func metadata(_ json: [UInt8]) -> GroupActivityMetadata { (try? decode(GroupActivityMetadata.self, json)) ?? GroupActivityMetadata() }

    /// An activity that another program announced. A browser need not give one; and where an activity keeps its metadata as a stored
    /// property, the announced metadata stands in for it.
    static func activity<Activity: GroupActivity>(_ type: Activity.Type, _ json: [UInt8], metadata: [UInt8]) throws -> Activity {
        do { return try decode(type, json) } catch {
            if json.elementsEqual("null".utf8), let empty = try? decode(type, Array("{}".utf8)) { return empty }
            guard var fields = (json.elementsEqual("null".utf8) ? [:] : object(json) as? [String: Any]), fields["metadata"] == nil else { throw error }
            fields["metadata"] = object(metadata) ?? [String: Any]()
            guard let filled = try? JSONSerialization.data(withJSONObject: fields), let activity = try? decode(type, Array(filled)) else { throw error }
            return activity
        }
    }

    /// Equal as values, however they are written.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        guard let left = object(left) as? NSObject, let right = object(right) as? NSObject else { return false }
        return left.isEqual(right)
    }

    private static func object(_ json: [UInt8]) -> Any? { try? JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed) }
}

enum HearthLog {
    static let general = Logger(subsystem: "GroupActivities", category: "session")
}
