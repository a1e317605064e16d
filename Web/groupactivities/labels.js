// RFC 9420's labelled functions: no two uses of a key can be confused, because each says in the bytes what it is for.

import { ByteWriter } from './bytes.js';
import { expand } from './hkdf.js';

const { subtle } = globalThis.crypto ?? {};
const text = new TextEncoder();

/** The prefix of every label of this protocol. Tests pass `MLS 1.0 ` to check against RFC 9420's vectors. */
export const LABEL_PREFIX = 'Hearth1 ';

/**
 * `EWL`
 * @param {CryptoKey} secret from `hmacKey`
 * @param {string} label
 * @param {Uint8Array} context
 * @param {number} length
 * @param {string} [prefix]
 */
export function expandWithLabel(secret, label, context, length, prefix = LABEL_PREFIX) {
  return expand(secret, new ByteWriter().u16(length).vec(text.encode(prefix + label)).vec(context).finish(), length);
}

/**
 * `DS`
 * @param {CryptoKey} secret from `hmacKey`
 * @param {string} label
 * @param {string} [prefix]
 */
export function deriveSecret(secret, label, prefix = LABEL_PREFIX) {
  return expandWithLabel(secret, label, new Uint8Array(0), 32, prefix);
}

/**
 * `RH`
 * @param {string} label
 * @param {Uint8Array} value
 * @param {string} [prefix]
 */
export async function refHash(label, value, prefix = LABEL_PREFIX) {
  return new Uint8Array(await subtle.digest('SHA-256', labelled(label, value, prefix)));
}

/**
 * What is signed, and hashed, in place of `value`.
 * @param {string} label
 * @param {Uint8Array} value
 * @param {string} [prefix]
 */
export function labelled(label, value, prefix = LABEL_PREFIX) {
  return new ByteWriter(value.length + 64).vec(text.encode(prefix + label)).vec(value).finish();
}
