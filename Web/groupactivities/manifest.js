// What an attachment's entry says: the keys to its body, how long it is, what its parts are, and the app's metadata.

import { ByteReader, ByteWriter, concat } from './bytes.js';
import { bodyLength, partCount, recordSizeBytes } from './body-layout.js';
import { jsonBytes, readJson } from './entry-bodies.js';
import { HearthError } from './errors.js';
import { limits } from './limits.js';

const keyLengthBytes = 16;
const hashLengthBytes = 32;

/**
 * `partHashes` is empty while the upload runs; then it has one SHA-256 for each part.
 * @typedef {{ ikm: Uint8Array, salt: Uint8Array, plainLength: number, partHashes: Uint8Array[], metadata: unknown }} Manifest
 */

/**
 * @param {Manifest} manifest
 * @throws {HearthError} `attachment-too-large`, `metadata-too-large`
 */
export function encodeManifest({ ikm, salt, plainLength, partHashes, metadata }) {
  const json = jsonBytes(metadata);
  check('attachment-too-large', 'attachment', plainLength, limits.attachmentSizeLimitBytes);
  check('metadata-too-large', 'metadata', json.length, limits.metadataSizeLimitBytes);
  const hashes = concat(...partHashes);
  if (ikm.length !== keyLengthBytes || salt.length !== keyLengthBytes || !isHashListComplete(hashes.length, plainLength)) {
    throw new RangeError('A manifest has 16 bytes of keying material, 16 of salt and the hash of every part or of none');
  }
  return new ByteWriter(json.length + hashes.length + 64).raw(ikm).raw(salt).u32(recordSizeBytes).u64(plainLength).vec(hashes).vec(json).finish();
}

/**
 * @param {Uint8Array} body
 * @returns {Manifest}
 * @throws {HearthError} `malformed`: cut short, beyond a limit, or with a number of hashes that does not fit
 */
export function decodeManifest(body) {
  const reader = new ByteReader(body);
  const ikm = reader.take(keyLengthBytes);
  const salt = reader.take(keyLengthBytes);
  const recordSize = reader.u32();
  if (recordSize !== recordSizeBytes) throw new HearthError('malformed', `Records of ${recordSize} bytes instead of ${recordSizeBytes}`, { limit: recordSizeBytes, value: recordSize });
  const plainLength = reader.safeU64();
  check('malformed', 'attachment', plainLength, limits.attachmentSizeLimitBytes);
  const hashes = reader.vec();
  if (!isHashListComplete(hashes.length, plainLength)) throw new HearthError('malformed', `${hashes.length} bytes of part hashes for ${plainLength} bytes`);
  const json = reader.vec();
  check('malformed', 'metadata', json.length, limits.metadataSizeLimitBytes);
  const partHashes = Array.from({ length: hashes.length / hashLengthBytes }, (_, part) => hashes.subarray(part * hashLengthBytes, (part + 1) * hashLengthBytes));
  return { ikm, salt, plainLength, partHashes, metadata: readJson(json) };
}

/** @param {number} hashesLength @param {number} plainLength */
function isHashListComplete(hashesLength, plainLength) {
  return hashesLength === 0 || hashesLength === hashLengthBytes * partCount(bodyLength(plainLength));
}

/**
 * @param {'attachment-too-large' | 'metadata-too-large' | 'malformed'} code
 * @param {string} what
 * @param {number} value
 * @param {number} limit
 */
function check(code, what, value, limit) {
  if (value > limit) throw new HearthError(code, `${value} bytes of ${what}; ${limit} are allowed`, { limit, value });
}
