// Every limit of the protocol, in one place, each with its unit in its name (docs/protocol/README.md, "Limits").
// Web/groupactivities/limits.js has the same names and numbers; a test compares the two files.

public enum Limits {
    /// The payload of one message, before sealing.
    public static let messageSizeLimitBytes = 262_144
    /// A sealed record or sample.
    public static let recordSizeLimitBytes = 327_680
    /// A sealed entry.
    public static let entrySizeLimitBytes = 131_072
    /// The metadata of an attachment, before sealing.
    public static let metadataSizeLimitBytes = 65_536
    /// An attachment, before sealing.
    public static let attachmentSizeLimitBytes = 100_000_000
    /// The body of an attachment, sealed: an RFC 8188 header of 37 bytes, then 17 more for each record of 65,519 bytes.
    public static let bodySizeLimitBytes = 100_025_996
    /// One part of a body; all parts but the last are this long.
    public static let partSizeBytes = 1_048_576
    /// One WebSocket message from a participant.
    public static let socketMessageSizeLimitBytes = 524_288
    /// Frames that are to go out together are joined up to this size: over a slow line nobody is taken for silent while one message is on its way.
    public static let batchSizeLimitBytes = 65_536

    public static let participantCountLimit = 100
    public static let sessionCountLimit = 16
    /// Sessions that have ended whose names are not given again in their conversation; the oldest are forgotten.
    public static let endedSessionCountLimit = 1_024
    public static let entryCountLimit = 5_000
    public static let recipientCountLimit = 100
    public static let displayNameSizeLimitBytes = 64

    /// What a session's log may hold that is not yet acknowledged by all who are in it.
    public static let logSizeLimitBytes = 16_777_216
    public static let logFrameCountLimit = 16_384
    /// Places of the log that one record speaks of.
    public static let stretchLinkCountLimit = 1_024
    /// Places of the log that a client remembers, to compare them with what others speak of.
    public static let rememberedLinkCountLimit = 4_096
    /// What may wait for one connection.
    public static let outboxSizeLimitBytes = 8_388_608
    /// Samples that may wait for one connection; the oldest go first.
    public static let outboxSampleSizeLimitBytes = 524_288

    public static let helloTimeLimitSeconds = 10
    /// A connection that is not yet let in has little to say.
    public static let helloSizeLimitBytes = 4_096
    public static let framesPerSecondLimit = 1_000
    public static let frameBurstLimit = 5_000
    public static let bytesPerSecondLimit = 4_194_304
    public static let byteBurstLimit = 16_777_216
    /// A client's own records that have no place yet; further ones wait.
    public static let recordsInFlightSizeLimitBytes = 4_194_304
    /// Puts and removals of one conversation that the disk has not yet answered.
    public static let unansweredChangeCountLimit = 4_096
    public static let unansweredChangeSizeLimitBytes = 67_108_864

    /// A sealed door, and the sealed introduction of who knocks.
    public static let doorSizeLimitBytes = 1_024
    /// How far ahead an invitation's end may lie: 366 days.
    public static let doorDateLimitSeconds = 31_622_400
    /// Who waits at the door of one conversation, and how long.
    public static let knockCountLimit = 32
    public static let knockTimeLimitSeconds = 120
    /// Knocks of which members hear, however quickly those who knock come and go.
    public static let knocksPerSecondLimit = 1
    public static let knockBurstLimit = 128
}
