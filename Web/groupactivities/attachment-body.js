// Turns an attachment into the sealed parts of its body and back, a part at a time, so that memory stays small whatever its size.

import { areEqual, concat } from './bytes.js';
import { bodyLength, headerLengthBytes, partCount, partLength, recordCount, recordPlainSizeBytes, recordSizeBytes } from './body-layout.js';
import { HearthError } from './errors.js';
import { bytesOfId } from './identifiers.js';
import { limits } from './limits.js';
import { nextTurn } from './next-turn.js';
import { RecordCipher, delimiters, encodeHeader } from './rfc8188.js';

export { bodyLength, partCount, partLength };

const { subtle } = globalThis.crypto ?? {};
const tagLengthBytes = 16;

/** @typedef {(offset: number, length: number) => Promise<Uint8Array>} ReadPlaintext exactly `length` bytes from `offset` */

/** @param {Uint8Array} bytes of a part @returns {Promise<Uint8Array<ArrayBuffer>>} SHA-256 */
export async function hashPart(bytes) {
  return new Uint8Array(await subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes)));
}

/** Gives any part of the sealed body, the same bytes each time. */
export class BodySealer {
  #cipher;
  #header;
  #plainLength;
  #read;
  /** The tag of every record sealed so far: a record that is sealed again must come out the same, or one nonce would stand for two plaintexts. */
  #tags;
  #isTagged;

  /**
   * @param {{ cipher: RecordCipher, header: Uint8Array, plainLength: number, read: ReadPlaintext }} values
   * @private
   */
  constructor({ cipher, header, plainLength, read }) {
    this.#cipher = cipher;
    this.#header = header;
    this.#plainLength = plainLength;
    this.#read = read;
    this.#tags = new Uint8Array(recordCount(plainLength) * tagLengthBytes);
    this.#isTagged = new Uint8Array(recordCount(plainLength));
    this.bodyLength = bodyLength(plainLength);
    this.partCount = partCount(this.bodyLength);
  }

  /**
   * @param {{ ikm: Uint8Array, salt: Uint8Array, attachmentId: string, plainLength: number, read: ReadPlaintext }} options `ikm` and `salt`: fresh for each attachment
   * @returns {Promise<BodySealer>} rejects with `attachment-too-large`
   */
  static async create({ ikm, salt, attachmentId, plainLength, read }) {
    if (plainLength > limits.attachmentSizeLimitBytes) {
      throw new HearthError('attachment-too-large', `${plainLength} bytes; an attachment has at most ${limits.attachmentSizeLimitBytes}`, {
        limit: limits.attachmentSizeLimitBytes,
        value: plainLength,
      });
    }
    const header = encodeHeader({ salt, recordSize: recordSizeBytes, keyId: bytesOfId(attachmentId) });
    return new BodySealer({ cipher: await RecordCipher.create(ikm, salt), header, plainLength, read });
  }

  /**
   * @param {number} number of the part, from 0
   * @returns {Promise<Uint8Array<ArrayBuffer>>} rejects with `source-changed` when the source no longer gives what it gave before
   */
  async part(number) {
    if (!(number >= 0 && number < this.partCount)) throw new RangeError(`Part ${number} of ${this.partCount}`);
    const start = number * limits.partSizeBytes;
    const part = new Uint8Array(partLength(number, this.bodyLength));
    if (number === 0) part.set(this.#header);

    const firstRecord = Math.max(0, Math.floor((start - headerLengthBytes) / recordSizeBytes));
    const lastRecord = Math.min(recordCount(this.#plainLength) - 1, Math.floor((start + part.length - 1 - headerLengthBytes) / recordSizeBytes));
    const plainStart = firstRecord * recordPlainSizeBytes;
    const plaintext = await this.#plaintext(plainStart, Math.min(this.#plainLength, (lastRecord + 1) * recordPlainSizeBytes) - plainStart);

    const records = Array.from({ length: lastRecord - firstRecord + 1 }, async (_, index) => {
      const record = firstRecord + index;
      const sealed = await this.#record(record, plaintext.subarray(index * recordPlainSizeBytes, (index + 1) * recordPlainSizeBytes));
      const offset = headerLengthBytes + record * recordSizeBytes - start;
      part.set(sealed.subarray(Math.max(0, -offset), part.length - offset), Math.max(0, offset));
    });
    await Promise.all(records);
    await nextTurn();
    return part;
  }

  /** @param {number} offset @param {number} length */
  async #plaintext(offset, length) {
    const plaintext = await this.#read(offset, length);
    if (plaintext.length !== length) throw changed(`${plaintext.length} bytes came from ${offset} on, where ${length} had been announced`);
    return plaintext;
  }

  /** @param {number} number @param {Uint8Array} plaintext */
  async #record(number, plaintext) {
    const content = new Uint8Array(plaintext.length + 1);
    content.set(plaintext);
    content[plaintext.length] = delimiterOf(number, this.#plainLength);
    const sealed = await this.#cipher.seal(number, content);
    const tag = sealed.subarray(sealed.length - tagLengthBytes);
    if (this.#isTagged[number] === 0) {
      this.#isTagged[number] = 1;
      this.#tags.set(tag, number * tagLengthBytes);
    } else if (!areEqual(tag, this.#tags.subarray(number * tagLengthBytes, (number + 1) * tagLengthBytes))) {
      throw changed(`record ${number} is not what it was`);
    }
    return sealed;
  }
}

/** Takes the parts in order and gives the plaintext as it becomes whole. Nothing of it is to be taken for the attachment before `finish` has resolved. */
export class BodyOpener {
  #cipher;
  #header;
  #plainLength;
  #bodyLength;
  #nextPart = 0;
  #nextRecord = 0;
  /** The beginning of a record whose end is in the next part. */
  #carried = new Uint8Array(0);
  /** @type {Promise<unknown>} */
  #opening = Promise.resolve();

  /**
   * @param {{ cipher: RecordCipher, header: Uint8Array, plainLength: number, bodyLength: number }} values
   * @private
   */
  constructor({ cipher, header, plainLength, bodyLength: bodyLengthBytes }) {
    this.#cipher = cipher;
    this.#header = header;
    this.#plainLength = plainLength;
    this.#bodyLength = bodyLengthBytes;
  }

  /**
   * @param {{ ikm: Uint8Array, salt: Uint8Array, attachmentId: string, plainLength: number, bodyLength: number }} options lengths as the manifest and the entry say
   * @returns {Promise<BodyOpener>} rejects with `tampered` when they do not fit together
   */
  static async create({ ikm, salt, attachmentId, plainLength, bodyLength: bodyLengthBytes }) {
    if (plainLength > limits.attachmentSizeLimitBytes || bodyLengthBytes !== bodyLength(plainLength)) {
      throw tampered(`a body of ${bodyLengthBytes} bytes cannot hold ${plainLength}`);
    }
    const header = encodeHeader({ salt, recordSize: recordSizeBytes, keyId: bytesOfId(attachmentId) });
    return new BodyOpener({ cipher: await RecordCipher.create(ikm, salt), header, plainLength, bodyLength: bodyLengthBytes });
  }

  /**
   * Calls may overlap, as long as they come in order.
   * @param {number} number the next part, from 0
   * @param {Uint8Array} bytes the whole part
   * @returns {Promise<Uint8Array<ArrayBuffer>[]>} the plaintext that it completes; rejects with `tampered`
   */
  part(number, bytes) {
    const opening = this.#open(number, bytes);
    this.#opening = Promise.all([this.#opening, opening]);
    // `finish` reports it; without this a failure before `finish` would count as unhandled.
    this.#opening.catch(() => {});
    return opening;
  }

  /** Rejects with `tampered` unless every part was given and opened. */
  async finish() {
    await this.#opening;
    const parts = partCount(this.#bodyLength);
    if (this.#nextPart !== parts) throw tampered(`${this.#nextPart} of ${parts} parts are here`);
  }

  /** @param {number} number @param {Uint8Array} bytes */
  async #open(number, bytes) {
    if (number !== this.#nextPart) throw tampered(`part ${number} came where part ${this.#nextPart} belongs`);
    const expected = number < partCount(this.#bodyLength) ? partLength(number, this.#bodyLength) : 0;
    if (bytes.length !== expected || expected === 0) throw tampered(`part ${number} has ${bytes.length} bytes instead of ${expected}`);
    if (number === 0 && !areEqual(bytes.subarray(0, headerLengthBytes), this.#header)) throw tampered('its header is not what the manifest says');
    this.#nextPart += 1;
    const pieces = await Promise.all(this.#records(number, bytes).map(({ record, sealed }) => this.#openRecord(record, sealed)));
    await nextTurn();
    return pieces;
  }

  /**
   * The records that end in this part; what is left over is kept for the next. Runs without waiting, so that overlapping calls keep their order.
   * @param {number} number
   * @param {Uint8Array} bytes
   */
  #records(number, bytes) {
    const isLastPart = number === partCount(this.#bodyLength) - 1;
    const records = [];
    let offset = number === 0 ? headerLengthBytes : 0;
    while (offset < bytes.length) {
      const wanted = recordSizeBytes - this.#carried.length;
      const end = Math.min(bytes.length, offset + wanted);
      const piece = bytes.subarray(offset, end);
      if (end - offset < wanted && !isLastPart) {
        this.#carried = concat(this.#carried, piece);
      } else {
        records.push({ record: this.#nextRecord, sealed: this.#carried.length === 0 ? piece : concat(this.#carried, piece) });
        this.#carried = new Uint8Array(0);
        this.#nextRecord += 1;
      }
      offset = end;
    }
    return records;
  }

  /** @param {number} number @param {Uint8Array} sealed */
  async #openRecord(number, sealed) {
    const content = await this.#cipher.open(number, sealed).catch((cause) => {
      throw tampered(`record ${number} does not open`, cause);
    });
    const length = content.length - 1;
    const isLast = number === recordCount(this.#plainLength) - 1;
    const expected = isLast ? this.#plainLength - number * recordPlainSizeBytes : recordPlainSizeBytes;
    if (length !== expected || content[length] !== delimiterOf(number, this.#plainLength)) throw tampered(`record ${number} does not end as it must`);
    return content.subarray(0, length);
  }
}

/** @param {number} record @param {number} plainLength */
function delimiterOf(record, plainLength) {
  return record === recordCount(plainLength) - 1 ? delimiters.last : delimiters.more;
}

/** @param {string} what @param {unknown} [cause] */
function tampered(what, cause) {
  return new HearthError('tampered', `The body of the attachment cannot be trusted: ${what}`, { cause });
}

/** @param {string} what */
function changed(what) {
  return new HearthError('source-changed', `What is being sent has changed under way: ${what}`);
}
