// Reads and writes the protocol's integers and lengths, so that no other file counts offsets.

import { HearthError } from './errors.js';

/** Bytes over an ArrayBuffer of their own kind, as WebCrypto, Blob and WebSocket ask for. @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** Reads big-endian values from bytes it does not own; what it returns are views of them. Throws HearthError `malformed` rather than read past the end. */
export class ByteReader {
  #bytes;
  #view;
  #offset = 0;

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = /** @type {Bytes} */ (bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd() {
    return this.#offset === this.#bytes.length;
  }

  /** How many bytes have not been read. */
  get remaining() {
    return this.#bytes.length - this.#offset;
  }

  u8() {
    return this.#view.getUint8(this.#advance(1));
  }

  u16() {
    return this.#view.getUint16(this.#advance(2));
  }

  u32() {
    return this.#view.getUint32(this.#advance(4));
  }

  u64() {
    return this.#view.getBigUint64(this.#advance(8));
  }

  /** A u64 as a number; above 2^53 − 1 it is `malformed`, for nothing that the protocol counts can be that many. */
  safeU64() {
    const value = this.u64();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new HearthError('malformed', `The number ${value} is above 2^53 - 1`);
    return Number(value);
  }

  /** @param {number} length */
  take(length) {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** `vec(x)` of RFC 9420 §2.1.2; a length that is not in its shortest form is `malformed`. */
  vec() {
    return this.take(this.#vecLength());
  }

  /** `u32 length ‖ x` */
  bytes32() {
    return this.take(this.u32());
  }

  /** Everything that has not been read. */
  rest() {
    return this.take(this.remaining);
  }

  #vecLength() {
    const first = this.u8();
    switch (first >> 6) {
      case 0:
        return first;
      case 1: {
        const length = (first & 0x3f) << 8 | this.u8();
        if (length < 0x40) throw new HearthError('malformed', `The length ${length} in two bytes`);
        return length;
      }
      case 2: {
        const length = (first & 0x3f) * 0x1000000 + this.u8() * 0x10000 + this.u16();
        if (length < 0x4000) throw new HearthError('malformed', `The length ${length} in four bytes`);
        return length;
      }
      default:
        throw new HearthError('malformed', 'A length that begins with the bits 11');
    }
  }

  /** @param {number} length */
  #advance(length) {
    const start = this.#offset;
    if (length > this.#bytes.length - start) {
      throw new HearthError('malformed', `${length} bytes wanted where ${this.#bytes.length - start} are left`, {
        limit: this.#bytes.length - start,
        value: length,
      });
    }
    this.#offset = start + length;
    return start;
  }
}

/** Writes big-endian values one behind the other; `finish` gives the bytes. A number that does not fit is a RangeError: it is never cut. */
export class ByteWriter {
  /** @type {Bytes} */
  #bytes;
  #view;
  #length = 0;

  /** @param {number} [capacityBytes] */
  constructor(capacityBytes = 256) {
    this.#bytes = new Uint8Array(capacityBytes);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length() {
    return this.#length;
  }

  /** @param {number} value */
  u8(value) {
    const start = this.#grow(1);
    this.#view.setUint8(start, checked(value, 0xff));
    return this;
  }

  /** @param {number} value */
  u16(value) {
    const start = this.#grow(2);
    this.#view.setUint16(start, checked(value, 0xffff));
    return this;
  }

  /** @param {number} value */
  u32(value) {
    const start = this.#grow(4);
    this.#view.setUint32(start, checked(value, 0xffffffff));
    return this;
  }

  /** @param {number | bigint} value */
  u64(value) {
    const wide = typeof value === 'bigint' ? value : BigInt(checked(value, Number.MAX_SAFE_INTEGER));
    if (wide < 0n || wide > 0xffffffffffffffffn) throw new RangeError(`${wide} is not a u64`);
    const start = this.#grow(8);
    this.#view.setBigUint64(start, wide);
    return this;
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    const start = this.#grow(bytes.length);
    this.#bytes.set(bytes, start);
    return this;
  }

  /** `vec(x)` of RFC 9420 §2.1.2. @param {Uint8Array} bytes */
  vec(bytes) {
    const { length } = bytes;
    if (length < 0x40) this.u8(length);
    else if (length < 0x4000) this.u16(0x4000 | length);
    else this.u32(checked(length, 0x3fffffff) + 0x80000000);
    return this.raw(bytes);
  }

  /** `u32 length ‖ x` @param {Uint8Array} bytes */
  bytes32(bytes) {
    return this.u32(bytes.length).raw(bytes);
  }

  /** @param {number} count */
  zeros(count) {
    this.#grow(count);
    return this;
  }

  /** The bytes written, as a view. The writer is not used afterwards. */
  finish() {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Call it in a statement of its own: it may replace the array and the view. @param {number} count */
  #grow(count) {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, start));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#length = needed;
    return start;
  }
}

/**
 * @param {...Uint8Array} arrays
 * @returns {Bytes}
 */
export function concat(...arrays) {
  const joined = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const bytes of arrays) {
    joined.set(bytes, offset);
    offset += bytes.length;
  }
  return joined;
}

/**
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 */
export function areEqual(left, right) {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/**
 * @param {number} value
 * @param {number} maximum
 */
function checked(value, maximum) {
  if (!Number.isSafeInteger(value) || value < 0 || value > maximum) throw new RangeError(`${value} is not an integer from 0 to ${maximum}`);
  return value;
}
