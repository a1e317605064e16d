// Every limit of the protocol, in one place, each with its unit in its name (docs/protocol/README.md, "Limits").
// Sources/Wire/Limits.swift has the same names and numbers; a test compares the two files.

export const limits = Object.freeze({
  /** The payload of one message, before sealing. */
  messageSizeLimitBytes: 262_144,
  /** A sealed record or sample. */
  recordSizeLimitBytes: 327_680,
  /** A sealed entry. */
  entrySizeLimitBytes: 131_072,
  /** The metadata of an attachment, before sealing. */
  metadataSizeLimitBytes: 65_536,
  /** An attachment, before sealing. */
  attachmentSizeLimitBytes: 100_000_000,
  /** The body of an attachment, sealed: an RFC 8188 header of 37 bytes, then 17 more for each record of 65,519 bytes. */
  bodySizeLimitBytes: 100_025_996,
  /** One part of a body; all parts but the last are this long. */
  partSizeBytes: 1_048_576,
  /** One WebSocket message from a participant. */
  socketMessageSizeLimitBytes: 524_288,
  /** Frames that are to go out together are joined up to this size. */
  batchSizeLimitBytes: 65_536,

  participantCountLimit: 100,
  sessionCountLimit: 16,
  /** Sessions that have ended whose names are not given again in their conversation; the oldest are forgotten. */
  endedSessionCountLimit: 1_024,
  entryCountLimit: 5_000,
  recipientCountLimit: 100,
  displayNameSizeLimitBytes: 64,

  /** What a session's log may hold that is not yet acknowledged by all who are in it. */
  logSizeLimitBytes: 16_777_216,
  logFrameCountLimit: 16_384,
  /** Places of the log that one record speaks of. */
  stretchLinkCountLimit: 1_024,
  /** Places of the log that a client remembers, to compare them with what others speak of. */
  rememberedLinkCountLimit: 4_096,
  /** What may wait for one connection. */
  outboxSizeLimitBytes: 8_388_608,
  /** Samples that may wait for one connection; the oldest go first. */
  outboxSampleSizeLimitBytes: 524_288,

  helloTimeLimitSeconds: 10,
  /** A connection that is not yet let in has little to say. */
  helloSizeLimitBytes: 4_096,
  framesPerSecondLimit: 1_000,
  frameBurstLimit: 5_000,
  bytesPerSecondLimit: 4_194_304,
  byteBurstLimit: 16_777_216,
  /** A client's own records that have no place yet; further ones wait. */
  recordsInFlightSizeLimitBytes: 4_194_304,
  /** Puts and removals of one conversation that the disk has not yet answered. */
  unansweredChangeCountLimit: 4_096,
  unansweredChangeSizeLimitBytes: 67_108_864,

  /** A sealed door, and the sealed introduction of who knocks. */
  doorSizeLimitBytes: 1_024,
  /** How far ahead an invitation's end may lie: 366 days. */
  doorDateLimitSeconds: 31_622_400,
  /** Who waits at the door of one conversation, and how long. */
  knockCountLimit: 32,
  knockTimeLimitSeconds: 120,
  /** Knocks of which members hear, however quickly those who knock come and go. */
  knocksPerSecondLimit: 1,
  knockBurstLimit: 128,
});
