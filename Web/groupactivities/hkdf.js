// HKDF-SHA256 (RFC 5869) in its two steps, built on HMAC because WebCrypto offers them only as one.

import { concat } from './bytes.js';

const { subtle } = globalThis.crypto ?? {};
const hashLengthBytes = 32;

/**
 * A secret to expand from, as a key that nobody can read out again.
 * @param {Uint8Array} secret
 * @returns {Promise<CryptoKey>}
 */
export function hmacKey(secret) {
  // WebCrypto refuses an empty HMAC key; HMAC pads keys with zeros, so zeros are the same key.
  const material = secret.length === 0 ? new Uint8Array(hashLengthBytes) : secret;
  return subtle.importKey('raw', /** @type {BufferSource} */ (material), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/**
 * @param {Uint8Array} salt
 * @param {Uint8Array} ikm
 * @returns {Promise<Uint8Array<ArrayBuffer>>} 32 bytes
 */
export async function extract(salt, ikm) {
  return hmac(await hmacKey(salt), ikm);
}

/**
 * @param {CryptoKey} prk from `hmacKey`
 * @param {Uint8Array} info
 * @param {number} length at most 255 × 32
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function expand(prk, info, length) {
  if (length > 255 * hashLengthBytes) throw new RangeError(`${length} bytes from one HKDF-Expand; at most ${255 * hashLengthBytes}`);
  const output = new Uint8Array(length);
  let block = new Uint8Array(0);
  for (let filled = 0, round = 1; filled < length; filled += hashLengthBytes, round += 1) {
    block = await hmac(prk, concat(block, info, Uint8Array.of(round)));
    output.set(block.subarray(0, length - filled), filled);
  }
  return output;
}

/**
 * @param {CryptoKey} key
 * @param {Uint8Array} message
 */
async function hmac(key, message) {
  return new Uint8Array(await subtle.sign('HMAC', key, /** @type {BufferSource} */ (message)));
}
