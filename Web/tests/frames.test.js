// The codec against the wire vectors that the relay reads too, and against every way to cut a frame.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { decodeFrames, directionOf, encodeFrame } from '../groupactivities/frames.js';
import { hex, toHex } from './support/bytes.js';
import { isCode } from './support/claims.js';

/** @typedef {import('../groupactivities/frames.js').Frame} Frame */

const vectors = JSON.parse(readFileSync(new URL('../../Vectors/wire/frames.json', import.meta.url), 'utf8'));

/** @type {Record<string, string[]>} */
const reasons = {
  exited: ['exited', 'left', 'away'],
  ended: ['participant', 'grace'],
  removed: ['removed', 'putter-left', 'session-ended'],
  knocked: ['gone', 'admitted', 'declined', 'unanswered'],
};
const refusals = ['', 'too-large', 'conversation-quota', 'relay-quota', 'storage-failed', 'unknown-session', 'not-in-session', 'unknown-entry', 'too-many-sessions',
  'too-many-entries', 'body-incomplete', 'not-permitted', 'date-out-of-range'];
const doorModes = ['open', 'knock', 'locked'];
const refusable = ['', '', 'enter', 'exit', 'end', 'record', 'sample', 'put', 'remove', 'acknowledge'];

/** A vector's frame with this library's words in place of numbers. @param {any} frame */
function worded(frame) {
  return JSON.parse(JSON.stringify(frame).replaceAll('"presence":', '"isConnected":'), (name, value) => {
    if (name === 'isConnected') return value === 1;
    if (name === 'reason') return reasons[frame.type][value] || 'unknown';
    if (name === 'mode') return doorModes[value] || 'unknown';
    if (name === 'code') return refusals[value] || 'unknown';
    if (name === 'frameType') return refusable[value] || 'unknown';
    return value;
  });
}

const wideFields = new Set(['counter', 'sequence', 'bodyLength', 'conversationQuotaBytes', 'limit', 'value', 'closesAt']);

/** A decoded frame with text where JSON has no numbers wide enough, and for bytes. @param {Frame} frame */
function written(frame) {
  return JSON.parse(JSON.stringify(frame, (name, value) => {
    if (value instanceof Uint8Array) return toHex(value);
    const isWide = typeof value === 'bigint' || wideFields.has(name) || (name === 'version' && frame.type === 'entry');
    return isWide ? value.toString() : value;
  }));
}

for (const { name, hex: text, frames, isCanonical } of vectors.good) {
  test(`frames read as the vector says: ${name}`, () => {
    const decoded = decodeFrames(hex(text));
    assert.deepEqual(decoded.map(written), frames.map(worded));
    const isWritable = !JSON.stringify(frames.map(worded)).includes('"unknown"');
    if (isCanonical && isWritable) assert.equal(decoded.map((frame) => toHex(encodeFrame(frame))).join(''), text);
  });
}

for (const { name, hex: text } of vectors.broken) {
  test(`frames are refused: ${name}`, () => {
    assert.throws(() => decodeFrames(hex(text)), isCode('malformed'));
  });
}

test('the vectors hold every frame of the table, going its way', () => {
  const seen = new Set(vectors.good.flatMap((/** @type {any} */ vector) => vector.frames.map((/** @type {any} */ frame) => frame.type)));
  const types = ['hello', 'enter', 'exit', 'end', 'record', 'sample', 'put', 'remove', 'acknowledge', 'leave', 'setDoor', 'knock', 'admit', 'ping', 'pong', 'welcome', 'position', 'complete', 'entered',
    'exited', 'ended', 'ordered', 'skipped', 'sampled', 'entry', 'removed', 'stable', 'refused', 'waiting', 'presence', 'door', 'knocking', 'knocked'];
  assert.deepEqual([...seen].toSorted(), types.toSorted());
  assert.equal(directionOf('hello'), 'to relay');
  assert.equal(directionOf('pong'), 'both ways');
  assert.equal(directionOf('entry'), 'from relay');
});

/** The lengths at which a frame ends, by the lengths in the frames alone. @param {Uint8Array} message */
function frameEnds(message) {
  const view = new DataView(message.buffer);
  const ends = new Set();
  for (let offset = 0; offset < message.length; ends.add(offset)) offset += 5 + view.getUint32(offset + 1);
  return ends;
}

test('a message that is cut at any byte is refused or ends exactly behind a frame', () => {
  for (const { hex: text, frames } of vectors.good) {
    const message = hex(text);
    if (message.length > 2_000) continue;
    for (let length = 0; length < message.length; length += 1) {
      let whole;
      try {
        whole = decodeFrames(message.subarray(0, length));
      } catch (error) {
        isCode('malformed')(error);
        continue;
      }
      assert.ok(frameEnds(message).has(length), `${length} of ${message.length} bytes hold no whole number of frames`);
      assert.deepEqual(whole.map(written), frames.slice(0, whole.length).map(worded));
    }
  }
});

test('a frame inside a larger buffer reads the same', () => {
  const message = encodeFrame({ type: 'record', session: 'EBESExQVFhcYGRobHB0eHw', counter: 3, recipients: [], sealed: Uint8Array.of(1, 2) });
  const padded = new Uint8Array(message.length + 20);
  padded.set(message, 7);
  assert.deepEqual(decodeFrames(padded.subarray(7, 7 + message.length)), decodeFrames(message));
});

test('a reason or refusal of a later relay reads as unknown and does no harm', () => {
  const session = 'EBESExQVFhcYGRobHB0eHw';
  const message = encodeFrame({ type: 'ended', session, sequence: 1, participant: session, reason: 'grace' });
  message[message.length - 1] = 77;
  assert.deepEqual(decodeFrames(message), [{ type: 'ended', session, sequence: 1, participant: session, reason: 'unknown' }]);
});

test('a frame that cannot be written is a mistake of the caller, not bytes on the wire', () => {
  const session = 'EBESExQVFhcYGRobHB0eHw';
  assert.throws(() => encodeFrame({ type: 'acknowledge', session, sequence: -1 }), RangeError);
  assert.throws(() => encodeFrame({ type: 'acknowledge', session, sequence: 2 ** 53 }), RangeError);
  assert.throws(() => encodeFrame({ type: 'enter', session: 'short' }), isCode('malformed'));
  assert.throws(() => encodeFrame({ type: 'ping', token: 1n << 64n }), RangeError);
  assert.throws(() => encodeFrame({ type: 'ended', session, sequence: 1, participant: session, reason: 'unknown' }), RangeError);
});
