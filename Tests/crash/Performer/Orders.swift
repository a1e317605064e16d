// What a performer is told and what it tells: the lines of `performer.mjs`.

struct Order: Decodable, Sendable {
    let `do`: String
    let ask: Int
    var link: String?
    var name: String?
    var number: Int?
    var length: Int?
    var seed: Int?
    var id: String?
}

struct Told: Encodable, Sendable {
    var event: String
    var ask: Int?
    var error: String?
    var id: String?
    var number: Int?
    var from: String?
    var ids: [String]?
    var away: [String]?
    var isConnected: Bool?
    var isIn: Bool?
    var text: String?

    init(_ event: String, _ fill: (inout Told) -> Void = { _ in }) {
        self.event = event
        fill(&self)
    }
}

/// A message as the others send it.
struct Message: Codable {
    static let identifier = "message"
    let number: Int
    let text: String
}
