// Base64url without padding, read strictly: names are compared as text, so each value must have exactly one spelling.

import { HearthError } from './errors.js';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const sextets = new Int16Array(128).fill(-1);
for (let value = 0; value < 64; value += 1) sextets[alphabet.charCodeAt(value)] = value;

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function encode(bytes) {
  let text = '';
  let index = 0;
  for (; index + 2 < bytes.length; index += 3) {
    const triple = bytes[index] << 16 | bytes[index + 1] << 8 | bytes[index + 2];
    text += alphabet[triple >> 18] + alphabet[triple >> 12 & 63] + alphabet[triple >> 6 & 63] + alphabet[triple & 63];
  }
  if (index + 1 === bytes.length) {
    text += alphabet[bytes[index] >> 2] + alphabet[bytes[index] << 4 & 63];
  } else if (index + 2 === bytes.length) {
    text += alphabet[bytes[index] >> 2] + alphabet[(bytes[index] << 4 | bytes[index + 1] >> 4) & 63] + alphabet[bytes[index + 1] << 2 & 63];
  }
  return text;
}

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 * @throws {HearthError} `malformed` unless `text` is exactly what `encode` gives for some bytes
 */
export function decode(text) {
  const remainder = text.length % 4;
  if (remainder === 1) throw new HearthError('malformed', `Base64url of ${text.length} characters`);
  const bytes = new Uint8Array(Math.floor(text.length * 3 / 4));
  let pending = 0;
  let pendingBits = 0;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = sextets[text.charCodeAt(index)] ?? -1;
    if (value < 0) throw new HearthError('malformed', `A character that is not base64url at ${index}`);
    pending = (pending << 6 | value) & 0xffff;
    pendingBits += 6;
    if (pendingBits >= 8) {
      pendingBits -= 8;
      bytes[length] = pending >> pendingBits & 0xff;
      length += 1;
    }
  }
  if ((pending & (1 << pendingBits) - 1) !== 0) throw new HearthError('malformed', 'Base64url with stray bits in its last character');
  return bytes;
}
