// The form that everything sealed has inside: a kind, a value and zeros up to a Padmé length.

import { ByteReader, ByteWriter } from './bytes.js';
import { HearthError } from './errors.js';
import { padme } from './padme.js';

/**
 * `u8 kind ‖ vec(value) ‖ zero padding`
 * @param {number} kind
 * @param {Uint8Array} value
 * @param {number} prefixLength bytes that will stand before it and count for the padding
 */
export function padded(kind, value, prefixLength) {
  const writer = new ByteWriter(value.length + 64).u8(kind).vec(value);
  const length = prefixLength + writer.length;
  return writer.zeros(padme(length) - length).finish();
}

/**
 * The length that `padded` gives, prefix included.
 * @param {number} valueLength
 * @param {number} prefixLength
 */
export function paddedLength(valueLength, prefixLength) {
  const prefix = valueLength < 0x40 ? 1 : valueLength < 0x4000 ? 2 : 4;
  return padme(prefixLength + 1 + prefix + valueLength);
}

/**
 * @param {Uint8Array} content
 * @throws {HearthError} `tampered`: it does not have the form
 */
export function readPadded(content) {
  try {
    const reader = new ByteReader(content);
    const kind = reader.u8();
    const value = reader.vec();
    if (reader.rest().some((byte) => byte !== 0)) throw new HearthError('malformed', 'Padding that is not zero');
    return { kind, value };
  } catch (cause) {
    throw new HearthError('tampered', 'What was sealed does not have the form of a kind and a value', { cause });
  }
}
