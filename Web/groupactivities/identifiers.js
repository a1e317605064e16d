// The 16-byte names of the protocol as the 22 characters they are everywhere outside the codec.

import { decode, encode } from './base64url.js';
import { HearthError } from './errors.js';

/** The conversation's own session, and "nobody" or "nothing" where a frame names who or what: 16 zero bytes. */
export const OWN_SESSION = 'AAAAAAAAAAAAAAAAAAAAAA';

/** @param {Uint8Array} bytes exactly 16 */
export function idFromBytes(bytes) {
  if (bytes.length !== 16) throw new HearthError('malformed', `A name of ${bytes.length} bytes instead of 16`);
  return encode(bytes);
}

/**
 * @param {string} id
 * @returns {Uint8Array<ArrayBuffer>} 16 bytes
 * @throws {HearthError} `malformed` unless `id` is the one spelling of 16 bytes
 */
export function bytesOfId(id) {
  if (id.length !== 22) throw new HearthError('malformed', `A name of ${id.length} characters instead of 22`);
  return decode(id);
}

/** A fresh random name. */
export function randomId() {
  return encode(globalThis.crypto.getRandomValues(new Uint8Array(16)));
}
