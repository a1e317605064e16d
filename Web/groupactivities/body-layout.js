// Where everything in a sealed body stands: header, records and parts are cut at different lengths.

import { limits } from './limits.js';

/** An RFC 8188 record, sealed. */
export const recordSizeBytes = 65_536;
/** What a record adds to its plaintext: the delimiter and the tag. */
export const recordOverheadBytes = 17;
/** The plaintext of a full record. */
export const recordPlainSizeBytes = recordSizeBytes - recordOverheadBytes;
/** RFC 8188's header with a keyid of 16 bytes. */
export const headerLengthBytes = 37;

/** @param {number} plainLength */
export function recordCount(plainLength) {
  return Math.max(1, Math.ceil(plainLength / recordPlainSizeBytes));
}

/** @param {number} plainLength @returns {number} the length of the sealed body */
export function bodyLength(plainLength) {
  return headerLengthBytes + plainLength + recordOverheadBytes * recordCount(plainLength);
}

/** @param {number} bodyLengthBytes of the sealed body */
export function partCount(bodyLengthBytes) {
  return Math.ceil(bodyLengthBytes / limits.partSizeBytes);
}

/** @param {number} number of the part, from 0 @param {number} bodyLengthBytes */
export function partLength(number, bodyLengthBytes) {
  return Math.min(limits.partSizeBytes, bodyLengthBytes - number * limits.partSizeBytes);
}
