// RFC 8188 (`aes128gcm`): header, key schedule and single records; how records make a body is decided elsewhere.

import { ByteReader, ByteWriter } from './bytes.js';
import { expand, extract, hmacKey } from './hkdf.js';

const { subtle } = globalThis.crypto ?? {};
const encoder = new TextEncoder();

/** Ends the plaintext of a record; only zeros may follow it. */
export const delimiters = Object.freeze({ more: 1, last: 2 });

/** @param {{ salt: Uint8Array, recordSize: number, keyId: Uint8Array }} header */
export function encodeHeader({ salt, recordSize, keyId }) {
  return new ByteWriter().raw(salt).u32(recordSize).u8(keyId.length).raw(keyId).finish();
}

/** @param {Uint8Array} bytes that begin with a header */
export function decodeHeader(bytes) {
  const reader = new ByteReader(bytes);
  const header = { salt: reader.take(16), recordSize: reader.u32(), keyId: reader.take(reader.u8()) };
  return { ...header, length: bytes.length - reader.remaining };
}

/**
 * @param {Uint8Array} ikm
 * @param {Uint8Array} salt
 */
export async function deriveKeyAndNonce(ikm, salt) {
  const prk = await hmacKey(await extract(salt, ikm));
  return {
    key: await expand(prk, encoder.encode('Content-Encoding: aes128gcm\0'), 16),
    nonce: await expand(prk, encoder.encode('Content-Encoding: nonce\0'), 12),
  };
}

/** Seals and opens the records of one body by their number. */
export class RecordCipher {
  #key;
  #nonce;

  /** @param {CryptoKey} key @param {Uint8Array<ArrayBuffer>} nonce @private */
  constructor(key, nonce) {
    this.#key = key;
    this.#nonce = nonce;
  }

  /**
   * @param {Uint8Array} ikm
   * @param {Uint8Array} salt
   */
  static async create(ikm, salt) {
    const { key, nonce } = await deriveKeyAndNonce(ikm, salt);
    return new RecordCipher(await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']), nonce);
  }

  /**
   * @param {number} number of the record, from 0; never twice with different content
   * @param {Uint8Array} content plaintext, delimiter and padding
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async seal(number, content) {
    return new Uint8Array(await subtle.encrypt(this.#parameters(number), this.#key, /** @type {BufferSource} */ (content)));
  }

  /**
   * @param {number} number
   * @param {Uint8Array} sealed
   * @returns {Promise<Uint8Array<ArrayBuffer>>} plaintext, delimiter and padding; rejects when it does not open
   */
  async open(number, sealed) {
    return new Uint8Array(await subtle.decrypt(this.#parameters(number), this.#key, /** @type {BufferSource} */ (sealed)));
  }

  /** @param {number} number */
  #parameters(number) {
    const iv = new Uint8Array(this.#nonce);
    const view = new DataView(iv.buffer);
    view.setBigUint64(4, view.getBigUint64(4) ^ BigInt(number));
    return { name: 'AES-GCM', iv };
  }
}
