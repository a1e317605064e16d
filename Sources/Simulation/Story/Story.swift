// What people do and what befalls them, as a value: the same story, told again, comes out the same.

struct Story: Sendable {
    let seed: UInt64
    var personCount: Int
    var weather: Weather
    /// How long a place, and an empty conversation, is kept.
    var resumeWindowSeconds: Int
    var graceSeconds: Int
    var steps: [Step]
    /// The relay lies.
    var isHostile = false

    /// How the network and the disk are while nothing particular happens to them.
    struct Weather: Sendable, Equatable {
        var delayMilliseconds: ClosedRange<Int>
        var sampleLoss: Double
        /// At each message, that the line breaks.
        var cutLikelihood: Double
        /// At each request for a part, that it or its answer is lost.
        var requestLoss: Double
        /// `nil`: more than anybody needs.
        var bytesPerSecond: Int?
        var diskMilliseconds: ClosedRange<Int>
    }
}

struct Step: Sendable {
    /// Its place in the story as it was drawn: by this a shorter story names what it kept.
    let number: Int
    let at: Duration
    let person: Int
    let deed: Deed
}

/// Sessions, attachments and people are named by numbers that count among those there are when it comes to it.
enum Deed: Sendable, Equatable {
    case come(entersEverything: Bool)
    case leave
    case announce
    case replaceAnnouncement(Int)
    case enter(Int)
    case exit(Int)
    case end(Int)
    case say(Int, sizeBytes: Int, to: [Int])
    case sample(Int, sizeBytes: Int, to: [Int])
    case add(Int, sizeBytes: Int)
    case load(Int)
    case remove(Int)
    case cut(Break)
    case goOffline(milliseconds: Int)
    case freeze(milliseconds: Int)
    case hurry
    case crash(Crash, downMilliseconds: Int)
    case fillDisk(milliseconds: Int)
    case lie(Lie)
}

/// Who hears of it when a line breaks.
enum Break: String, Sendable, CaseIterable {
    case heardByBoth = "is cut"
    /// Half open: the relay goes on speaking to nobody.
    case heardByPerson = "is cut, and the relay does not hear of it"
    /// Half open the other way round.
    case heardByRelay = "is cut, and only the relay hears of it"
    case heardByNobody = "goes dead without a word"
}

enum Crash: String, Sendable, CaseIterable {
    /// What the operating system has taken stays.
    case process = "the relay's process dies"
    /// What was not brought to the disk itself may be gone.
    case power = "the relay's machine loses its power"
}
