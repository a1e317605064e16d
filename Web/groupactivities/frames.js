// All frames of the protocol on one screen, and the codec that follows from the table (docs/protocol/frames.md).

import { ByteReader, ByteWriter } from './bytes.js';
import { HearthError } from './errors.js';
import { both, bytes, count, fixed, flags, helloFields, id, ids, items, presence, token, u16, u32, u8, word, yes } from './frame-fields.js';
import { limits } from './limits.js';

const exitReasons = /** @type {const} */ ({ 0: 'exited', 1: 'left', 2: 'away' });
const endReasons = /** @type {const} */ ({ 0: 'participant', 1: 'grace' });
const removeReasons = /** @type {const} */ ({ 0: 'removed', 1: 'putter-left', 2: 'session-ended' });
const refusals = /** @type {const} */ ({
  1: 'too-large', 2: 'conversation-quota', 3: 'relay-quota', 4: 'storage-failed', 5: 'unknown-session', 6: 'not-in-session',
  7: 'unknown-entry', 8: 'too-many-sessions', 9: 'too-many-entries', 10: 'body-incomplete', 11: 'not-permitted',
  12: 'date-out-of-range',
});
const refusable = /** @type {const} */ ({ 1: 'hello', 2: 'enter', 3: 'exit', 4: 'end', 5: 'record', 6: 'sample', 7: 'put', 8: 'remove', 9: 'acknowledge', 11: 'setDoor' });
const doorModes = /** @type {const} */ ({ 0: 'open', 1: 'knock', 2: 'locked' });
const knockEnds = /** @type {const} */ ({ 0: 'gone', 1: 'admitted', 2: 'declined', 3: 'unanswered' });

const session = id('session');
const sequence = count('sequence');
const participant = id('participant');
const recipients = ids('recipients');
const sealed = bytes('sealed');
const doorMode = word('mode', 1, doorModes);
const closesAt = count('closesAt');
const entryFlags = flags('isPresenceBound', 'isBodyComplete');
// An own session and its sixteen.
const resumable = items('sessions', limits.sessionCountLimit + 1, both(session, sequence));
const present = items('participants', limits.participantCountLimit, both(participant, presence('isConnected')));

const table = {
  hello: row(0x01, 'to relay', u8('version'), helloFields(both(both(participant, id('participantSecret')), both(both(fixed('relayToken', 32), token('incarnation')), resumable)))),
  enter: row(0x02, 'to relay', session),
  exit: row(0x03, 'to relay', session),
  end: row(0x04, 'to relay', session),
  record: row(0x05, 'to relay', session, count('counter'), recipients, sealed),
  sample: row(0x06, 'to relay', session, recipients, sealed),
  put: row(0x07, 'to relay', session, id('entry'), entryFlags, count('bodyLength'), sealed),
  remove: row(0x08, 'to relay', session, id('entry')),
  acknowledge: row(0x09, 'to relay', session, sequence),
  leave: row(0x0a, 'to relay'),
  setDoor: row(0x0b, 'to relay', doorMode, closesAt, fixed('passDigest', 32), sealed),
  knock: row(0x0c, 'to relay', sealed),
  admit: row(0x0d, 'to relay', participant, yes('admits')),

  ping: row(0x10, 'both ways', token('token')),
  pong: row(0x11, 'both ways', token('token')),

  welcome: row(0x21, 'from relay', u8('version'), flags('resumed', 'created'), token('incarnation'), u16('heartbeatSeconds'), u16('silenceSeconds'),
    u32('resumeWindowSeconds'), u32('graceSeconds'), count('conversationQuotaBytes')),
  position: row(0x22, 'from relay', session, sequence, present),
  complete: row(0x23, 'from relay', session, sequence),
  entered: row(0x24, 'from relay', session, sequence, participant),
  exited: row(0x25, 'from relay', session, sequence, participant, word('reason', 1, exitReasons)),
  ended: row(0x26, 'from relay', session, sequence, participant, word('reason', 1, endReasons)),
  ordered: row(0x27, 'from relay', session, sequence, id('sender'), count('counter'), recipients, sealed),
  skipped: row(0x28, 'from relay', session, sequence, id('sender'), count('counter')),
  sampled: row(0x29, 'from relay', session, id('sender'), recipients, sealed),
  entry: row(0x2a, 'from relay', session, sequence, count('version'), id('putter'), id('entry'), entryFlags, count('bodyLength'), sealed),
  removed: row(0x2b, 'from relay', session, sequence, id('remover'), id('entry'), word('reason', 1, removeReasons)),
  stable: row(0x2c, 'from relay', session, sequence),
  refused: row(0x2d, 'from relay', word('frameType', 1, refusable), session, id('subject'), count('counter'), word('code', 2, refusals), count('limit'), count('value')),
  waiting: row(0x2e, 'from relay', u16('seconds')),
  presence: row(0xa0, 'from relay', participant, presence('isConnected')),
  door: row(0xa1, 'from relay', doorMode, closesAt, sealed),
  knocking: row(0xa2, 'from relay', participant, sealed),
  knocked: row(0xa3, 'from relay', participant, word('reason', 1, knockEnds)),
};

/** @typedef {'to relay' | 'from relay' | 'both ways'} Direction */
/** @template U @typedef {(U extends any ? (value: U) => void : never) extends (value: infer I) => void ? I : never} Intersection */
/** @template F @typedef {F extends { read(reader: ByteReader): infer T } ? T : never} Properties */
/** @template R @typedef {R extends { fields: (infer F)[] } ? [F] extends [never] ? {} : Intersection<Properties<F>> : never} Body */
/** @template T @typedef {{ [K in keyof T]: T[K] } & {}} Plain */
/** @typedef {keyof typeof table} FrameType */
/** @template {FrameType} K @typedef {Plain<{ type: K } & Body<typeof table[K]>>} FrameOf */
/** One frame; `type` says which, the rest are its fields as docs/protocol/frames.md names them. @typedef {{ [K in FrameType]: FrameOf<K> }[FrameType]} Frame */

/** @type {ReadonlyMap<number, FrameType>} */
const typeOfCode = new Map(Object.entries(table).map(([type, { code }]) => [code, /** @type {FrameType} */ (type)]));
const criticalBelow = 0x80;
const headLengthBytes = 5;

/**
 * @param {Frame} frame
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeFrame(frame) {
  const { code, fields } = table[frame.type];
  const body = new ByteWriter();
  for (const field of fields) field.write(body, /** @type {any} */ (frame));
  return new ByteWriter(headLengthBytes + body.length).u8(code).bytes32(body.finish()).finish();
}

/**
 * The frames of one WebSocket message, those that may be skipped left out. Byte fields are views of `message`.
 * @param {Uint8Array} message
 * @returns {Frame[]}
 * @throws {HearthError} `malformed`: no frame, or one that is cut short, does not fit, or is of an unknown type below 0x80
 */
export function decodeFrames(message) {
  const reader = new ByteReader(message);
  if (reader.isAtEnd) throw new HearthError('malformed', 'A message without a frame');
  /** @type {Frame[]} */
  const frames = [];
  while (!reader.isAtEnd) {
    const code = reader.u8();
    const body = new ByteReader(reader.bytes32());
    const type = typeOfCode.get(code);
    if (type !== undefined) {
      frames.push(Object.assign(/** @type {any} */ ({ type }), ...table[type].fields.map((field) => field.read(body))));
    } else if (code < criticalBelow) {
      throw new HearthError('malformed', `A frame of the unknown type 0x${code.toString(16)}`);
    }
  }
  return frames;
}

/** @param {FrameType} type */
export function directionOf(type) {
  return table[type].direction;
}

/**
 * @template {import('./frame-fields.js').Field<any>[]} F
 * @param {number} code
 * @param {Direction} direction
 * @param {F} fields
 * @returns {{ code: number, direction: Direction, fields: F }}
 */
function row(code, direction, ...fields) {
  return { code, direction, fields };
}
