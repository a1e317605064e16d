// What a message looks like inside a record or sample (docs/protocol/sealing.md, "Records and samples").

import { ByteReader, ByteWriter } from './bytes.js';
import { HearthError } from './errors.js';
import { limits } from './limits.js';
import { recordKinds } from './record-sealing.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The identifier of a message, in UTF-8. */
export const identifierSizeLimitBytes = 256;

/** Bytes go by this in place of an identifier. */
export const bytesIdentifier = Uint8Array;
/** @typedef {string | typeof Uint8Array} MessageIdentifier */

/**
 * @param {unknown} value any JSON value, or a Uint8Array
 * @param {string} messageIdentifier not told for a Uint8Array
 * @throws {HearthError} `message-too-large`, `too-large` (the identifier)
 */
export function encodeMessage(value, messageIdentifier) {
  if (value instanceof Uint8Array) {
    checkSize('message-too-large', 'a message', value.length, limits.messageSizeLimitBytes);
    return { kind: recordKinds.data, payload: new ByteWriter(value.length + 1).vec(new Uint8Array(0)).raw(value).finish() };
  }
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError('A message is a JSON value or a Uint8Array');
  const json = encoder.encode(text);
  const identifier = encoder.encode(messageIdentifier);
  checkSize('too-large', 'an identifier', identifier.length, identifierSizeLimitBytes);
  checkSize('message-too-large', 'a message', json.length, limits.messageSizeLimitBytes);
  return { kind: recordKinds.message, payload: new ByteWriter(json.length + identifier.length + 4).vec(identifier).raw(json).finish() };
}

/**
 * @param {number} kind
 * @param {Uint8Array} payload
 * @returns {{ identifier: MessageIdentifier, message: unknown } | null} null: of a kind, or in a form, that this version does not know
 */
export function decodeMessage(kind, payload) {
  try {
    const reader = new ByteReader(payload);
    const identifier = reader.vec();
    if (kind === recordKinds.data) return { identifier: bytesIdentifier, message: reader.rest().slice() };
    if (kind !== recordKinds.message) return null;
    return { identifier: decoder.decode(identifier), message: JSON.parse(decoder.decode(reader.rest())) };
  } catch {
    return null;
  }
}

/**
 * @param {'message-too-large' | 'too-large'} code
 * @param {string} what
 * @param {number} value
 * @param {number} limit
 */
function checkSize(code, what, value, limit) {
  if (value > limit) throw new HearthError(code, `${value} bytes of ${what}; ${limit} are allowed`, { limit, value });
}
