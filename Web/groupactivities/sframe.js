// SFrame (RFC 9605), cipher suite 4 (AES_128_GCM_SHA256_128): header, key schedule and the sealing of one frame.

import { ByteReader, ByteWriter, concat } from './bytes.js';
import { HearthError } from './errors.js';
import { expand, extract, hmacKey } from './hkdf.js';

const { subtle } = globalThis.crypto ?? {};
const suite = 4;
const keyLengthBytes = 16;
const nonceLengthBytes = 12;

export const tagLengthBytes = 16;

/**
 * @param {bigint} kid
 * @param {bigint | number} counter
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function encodeHeader(kid, counter) {
  const [kidBits, kidBytes] = headerField(kid);
  const [counterBits, counterBytes] = headerField(BigInt(counter));
  return concat(Uint8Array.of(kidBits << 4 | counterBits), kidBytes, counterBytes);
}

/**
 * @param {Uint8Array} bytes that begin with a header
 * @returns {{ kid: bigint, counter: bigint, length: number }}
 * @throws {HearthError} `malformed`: cut short, or a number not in its shortest form
 */
export function decodeHeader(bytes) {
  const reader = new ByteReader(bytes);
  const config = reader.u8();
  const kid = readHeaderField(reader, config >> 4);
  const counter = readHeaderField(reader, config & 0x0f);
  return { kid, counter, length: bytes.length - reader.remaining };
}

/** Key and salt of one KID. */
export class SFrameKey {
  #key;
  #salt;

  /** @param {CryptoKey} key @param {Uint8Array} salt @private */
  constructor(key, salt) {
    this.#key = key;
    this.#salt = salt;
  }

  /**
   * @param {Uint8Array} baseKey
   * @param {bigint} kid
   * @param {'encrypt' | 'decrypt'} usage
   */
  static async derive(baseKey, kid, usage) {
    const { key, salt } = await deriveKeyAndSalt(baseKey, kid);
    return new SFrameKey(await subtle.importKey('raw', key, 'AES-GCM', false, [usage]), salt);
  }

  /**
   * @param {number | bigint} counter never used before with this key
   * @param {Uint8Array} header
   * @param {Uint8Array} metadata authenticated, not sent
   * @param {Uint8Array} plaintext
   * @returns {Promise<Uint8Array<ArrayBuffer>>} header, ciphertext, tag
   */
  async seal(counter, header, metadata, plaintext) {
    const ciphertext = await subtle.encrypt(this.#parameters(counter, header, metadata), this.#key, /** @type {BufferSource} */ (plaintext));
    return concat(header, new Uint8Array(ciphertext));
  }

  /**
   * @param {number | bigint} counter
   * @param {Uint8Array} header
   * @param {Uint8Array} metadata
   * @param {Uint8Array} ciphertext with its tag, without the header
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   * @throws {HearthError} `tampered`
   */
  async open(counter, header, metadata, ciphertext) {
    try {
      return new Uint8Array(await subtle.decrypt(this.#parameters(counter, header, metadata), this.#key, /** @type {BufferSource} */ (ciphertext)));
    } catch (cause) {
      throw new HearthError('tampered', 'A frame does not open: its bytes, its session or its recipients are not those that were sealed', { cause });
    }
  }

  /**
   * @param {number | bigint} counter
   * @param {Uint8Array} header
   * @param {Uint8Array} metadata
   */
  #parameters(counter, header, metadata) {
    return { name: 'AES-GCM', iv: nonce(this.#salt, BigInt(counter)), additionalData: concat(header, metadata), tagLength: tagLengthBytes * 8 };
  }
}

/**
 * RFC 9605 §4.4.2
 * @param {Uint8Array} baseKey
 * @param {bigint} kid
 */
export async function deriveKeyAndSalt(baseKey, kid) {
  const secret = await hmacKey(await extract(new Uint8Array(0), baseKey));
  const info = (/** @type {string} */ label) => new ByteWriter().raw(new TextEncoder().encode(label)).u64(kid).u16(suite).finish();
  return {
    key: await expand(secret, info('SFrame 1.0 Secret key '), keyLengthBytes),
    salt: await expand(secret, info('SFrame 1.0 Secret salt '), nonceLengthBytes),
  };
}

/**
 * The salt with the counter, as a number of the same length, XORed in.
 * @param {Uint8Array} salt
 * @param {bigint} counter
 */
export function nonce(salt, counter) {
  const result = new Uint8Array(salt);
  const view = new DataView(result.buffer);
  const last = result.length - 8;
  view.setBigUint64(last, view.getBigUint64(last) ^ counter);
  return result;
}

/**
 * @param {bigint} value
 * @returns {[bits: number, bytes: Uint8Array]} the four bits for the config byte, and what follows it
 */
function headerField(value) {
  if (value < 0n || value > 0xffffffffffffffffn) throw new RangeError(`${value} does not fit into an SFrame header`);
  if (value < 8n) return [Number(value), new Uint8Array(0)];
  const bytes = new ByteWriter(8).u64(value).finish();
  const leadingZeros = bytes.findIndex((byte) => byte !== 0);
  return [0x08 | 7 - leadingZeros, bytes.subarray(leadingZeros)];
}

/**
 * @param {ByteReader} reader
 * @param {number} bits
 */
function readHeaderField(reader, bits) {
  if ((bits & 0x08) === 0) return BigInt(bits);
  const bytes = reader.take((bits & 0x07) + 1);
  const value = bytes.reduce((sum, byte) => sum << 8n | BigInt(byte), 0n);
  if (value < 8n || bytes[0] === 0) throw new HearthError('malformed', 'An SFrame header with a number that is not in its shortest form');
  return value;
}
