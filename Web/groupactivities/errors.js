// The one error type of the library: a fixed word to decide by, and the figures that a message to a person needs.

/**
 * @typedef {'unknown-conversation' | 'not-invited' | 'conversation-full' | 'locked' | 'invitation-ended' | 'declined' | 'not-answered' | 'too-many-waiting'
 *   | 'date-out-of-range' | 'relay-unreachable' | 'insecure-context'
 *   | 'unsupported-version' | 'name-too-long' | 'left' | 'ended' | 'conversation-ended' | 'conversation-closed' | 'cannot-resume'
 *   | 'replaced' | 'gap' | 'tampered' | 'malformed' | 'too-large' | 'message-too-large' | 'attachment-too-large' | 'metadata-too-large' | 'entry-too-large'
 *   | 'conversation-quota' | 'relay-quota' | 'storage-failed' | 'session-invalidated' | 'too-many-sessions' | 'too-many-entries'
 *   | 'removed' | 'aborted' | 'invitation-incomplete' | 'invitation-damaged' | 'invitation-unsupported' | 'not-from-relay'
 *   | 'flooding' | 'proxy-limit' | 'source-changed' | 'not-permitted'
 *   | 'body-incomplete' | 'queue-full'} HearthErrorCode
 */

export class HearthError extends Error {
  /**
   * @param {HearthErrorCode} code
   * @param {string} message for developers; text for a person is written where it is shown
   * @param {{ limit?: number, value?: number, cause?: unknown }} [details]
   */
  constructor(code, message, { limit, value, cause } = {}) {
    super(message, { cause });
    this.name = 'HearthError';
    this.code = code;
    /** The limit that was passed, in the unit that `message` names. */
    this.limit = limit;
    /** The value that passed it. */
    this.value = value;
  }
}
