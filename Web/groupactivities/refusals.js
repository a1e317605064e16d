// What a refused frame, or the end of the conversation, means to whoever asked.

import { HearthError } from './errors.js';

/** @typedef {import('./errors.js').HearthErrorCode} HearthErrorCode */
/** @typedef {import('./frames.js').FrameOf<'refused'>} Refusal */

/** @type {Record<string, [HearthErrorCode, string]>} */
const meanings = {
  'too-large': ['too-large', 'The relay takes fewer bytes'],
  'conversation-quota': ['conversation-quota', "The conversation's space on the relay is used up, in bytes"],
  'relay-quota': ['relay-quota', "The relay's space is used up, in bytes"],
  'storage-failed': ['storage-failed', "The relay's disk did not take it"],
  'unknown-session': ['session-invalidated', 'The session has ended'],
  'not-in-session': ['session-invalidated', 'We are not in the session'],
  'unknown-entry': ['removed', 'It is not there (any more)'],
  'too-many-sessions': ['too-many-sessions', 'No more sessions in this conversation'],
  'too-many-entries': ['too-many-entries', 'No more entries in this session'],
  'body-incomplete': ['body-incomplete', 'The relay does not hold every part'],
  'not-permitted': ['not-permitted', 'Only whoever put it may do that'],
  'date-out-of-range': ['date-out-of-range', 'An invitation ends in the future, and within 366 days; in seconds since 1970'],
};

/** @param {Refusal} refusal */
export function refusalError({ code, limit, value }) {
  const [word, text] = meanings[code] ?? ['not-permitted', `The relay refused: ${code}`];
  const figures = limit === 0 && value === 0 ? '' : `: ${value}, allowed are ${limit}`;
  return new HearthError(word, text + figures, limit === 0 && value === 0 ? {} : { limit, value });
}

export function sessionInvalidated() {
  return new HearthError('session-invalidated', 'The session is over for this participant');
}

/** @type {Partial<Record<HearthErrorCode, string>>} */
const endings = {
  left: 'This participant has left',
  ended: 'The session was ended',
  'conversation-ended': 'The conversation has ended',
  'conversation-closed': 'The conversation is closed',
  'unknown-conversation': 'There is no such conversation on this relay: it has ended, or the link is damaged',
  'not-invited': 'The relay does not know this invitation',
  'conversation-full': 'The conversation, or the relay, is full',
  locked: 'The members of the conversation let nobody else in',
  'invitation-ended': 'The end of this invitation is past',
  declined: 'A member did not let this participant in',
  'not-answered': 'Nobody answered the knock',
  'too-many-waiting': 'Too many wait to be let in',
  'relay-unreachable': 'The relay cannot be reached',
  'unsupported-version': 'The relay does not speak this version of the protocol',
  replaced: 'This participant has another connection, elsewhere',
  'cannot-resume': 'This participant was away for too long: its place is gone',
  flooding: 'More was sent than the relay takes from one participant',
  gap: 'Something that was sent did not arrive',
  tampered: 'Something that arrived is not what was sent',
  'not-permitted': 'The relay does not let this participant in',
};

/** @param {HearthErrorCode} code */
export function endingError(code) {
  return new HearthError(code, endings[code] ?? `The relay ended the connection: ${code}`);
}
