// Seals and opens records and samples: SFrame with the session, the recipients and, for records, the sender's signature bound in.

import { ByteReader, ByteWriter, concat } from './bytes.js';
import { HearthError } from './errors.js';
import { bytesOfId } from './identifiers.js';
import { signatureLengthBytes, verificationKey, verify } from './identity.js';
import { limits } from './limits.js';
import { encodeStretch, readStretch, stretchLengthBytes } from './log-stretch.js';
import { padded, paddedLength, readPadded } from './sealed-content.js';
import { SFrameKey, decodeHeader, encodeHeader, tagLengthBytes } from './sframe.js';

export { ReplayWindow } from './replay-window.js';

/** @typedef {import('./identity.js').Identity} Identity */
/** @typedef {import('./keys.js').EpochKeys} EpochKeys */
/** @typedef {'record' | 'sample'} RecordClass */

/** What a record or sample is: `message` has an identifier and JSON, `data` bytes; a `position` says nothing but how far its sender has come, and is never shown to an app. */
export const recordKinds = Object.freeze({ message: 1, data: 2, position: 3 });

const classNumbers = { record: 0, sample: 1 };
/** What stands before the kind in a record. */
const recordPrefixLengthBytes = signatureLengthBytes + stretchLengthBytes;
/** At most so many frames for one KID. */
export const counterLimit = 2 ** 32;

/** Seals what the local participant sends in one session in one class. There is one of them for each session and class, and it lives as long as the identity: a second would repeat nonces. */
export class RecordSealer {
  #identity;
  #sessionId;
  #context;
  #class;
  #key;
  #kid;
  #nextCounter = 0;

  /**
   * @param {{ identity: Identity, sessionId: string, context: Uint8Array, class: RecordClass, key: SFrameKey, kid: bigint }} values
   * @private
   */
  constructor({ identity, sessionId, context, class: recordClass, key, kid }) {
    this.#identity = identity;
    this.#sessionId = sessionId;
    this.#context = context;
    this.#class = recordClass;
    this.#key = key;
    this.#kid = kid;
  }

  /** @param {{ keys: EpochKeys, identity: Identity, sessionId: string, class: RecordClass }} options */
  static async create({ keys, identity, sessionId, class: recordClass }) {
    const kid = kidOf(identity.participantId, recordClass);
    const key = await SFrameKey.derive(await keys.baseKey(sessionId), kid, 'encrypt');
    return new RecordSealer({ identity, sessionId, context: contextOf(keys, sessionId, recordClass), class: recordClass, key, kid });
  }

  /**
   * The counter is taken before this returns, so frames are to be sent in the order of the calls. A call that is refused takes none.
   * @param {{ kind: number, payload: Uint8Array, recipients: string[], speak?(): import('./log-stretch.js').OpenStretch | null }} content no recipients: everyone;
   *   `speak`: what has been taken in of the log, asked for once the counter is taken; a sample says nothing of it
   * @returns {Promise<{ counter: number, sealed: Uint8Array<ArrayBuffer> }>} rejects with `message-too-large`
   */
  async seal({ kind, payload, recipients, speak = () => null }) {
    const prefixLength = this.#class === 'record' ? recordPrefixLengthBytes : 0;
    const header = encodeHeader(this.#kid, this.#nextCounter);
    const metadata = concat(this.#context, recipientsBytes(recipients));
    checkSize(header.length + paddedLength(payload.length, prefixLength) + tagLengthBytes);
    const content = padded(kind, payload, prefixLength);
    if (this.#nextCounter >= counterLimit) throw new HearthError('too-large', `More than ${counterLimit} frames under one key`, { limit: counterLimit, value: this.#nextCounter + 1 });
    // From here to the first await nothing fails: a counter that was taken is used.
    const counter = this.#nextCounter;
    this.#nextCounter += 1;

    if (this.#class === 'sample') return { counter, sealed: await this.#key.seal(counter, header, metadata, content) };
    const signed = concat(await encodeStretch(this.#sessionId, speak()), content);
    const plaintext = concat(await this.#identity.sign('record', concat(metadata, header, signed)), signed);
    return { counter, sealed: await this.#key.seal(counter, header, metadata, plaintext) };
  }
}

/** Opens what one sender sends in one session in one class. It does not judge counters. */
export class RecordOpener {
  #context;
  #class;
  #key;
  #kid;
  #verificationKey;

  /**
   * @param {{ context: Uint8Array, class: RecordClass, key: SFrameKey, kid: bigint, verificationKey: CryptoKey }} values
   * @private
   */
  constructor({ context, class: recordClass, key, kid, verificationKey: verifying }) {
    this.#context = context;
    this.#class = recordClass;
    this.#key = key;
    this.#kid = kid;
    this.#verificationKey = verifying;
  }

  /**
   * @param {{ keys: EpochKeys, sessionId: string, class: RecordClass, senderId: string, publicKey: Uint8Array }} options
   * @returns {Promise<RecordOpener>} rejects with `tampered` when the public key cannot be one
   */
  static async create({ keys, sessionId, class: recordClass, senderId, publicKey }) {
    const kid = kidOf(senderId, recordClass);
    const key = await SFrameKey.derive(await keys.baseKey(sessionId), kid, 'decrypt');
    return new RecordOpener({ context: contextOf(keys, sessionId, recordClass), class: recordClass, key, kid, verificationKey: await verificationKey(publicKey) });
  }

  /**
   * @param {{ sealed: Uint8Array, recipients: string[] }} frame
   * @returns {Promise<{ counter: number, kind: number, payload: Uint8Array<ArrayBuffer>, stretch: import('./log-stretch.js').LogStretch | null }>} `stretch`: null for a
   *   sample; rejects with `tampered` (or `malformed`: no SFrame at all)
   */
  async open({ sealed, recipients }) {
    const { kid, counter, headerLength } = parseHeader(sealed);
    if (kid !== this.#kid) throw new HearthError('tampered', 'A frame of another sender or class');
    const header = sealed.subarray(0, headerLength);
    const metadata = concat(this.#context, recipientsBytes(recipients));
    const plaintext = await this.#key.open(counter, header, metadata, sealed.subarray(headerLength));
    if (this.#class === 'sample') return { counter, ...opened(plaintext), stretch: null };
    if (plaintext.length < recordPrefixLengthBytes) throw new HearthError('tampered', 'A record without a signature, or without a stretch of the log');
    const signed = plaintext.subarray(signatureLengthBytes);
    const isSigned = await verify(this.#verificationKey, 'record', concat(metadata, header, signed), plaintext.subarray(0, signatureLengthBytes));
    if (!isSigned) throw new HearthError('tampered', 'A record that its sender has not signed');
    const stretch = readStretch(new ByteReader(signed.subarray(0, stretchLengthBytes)));
    return { counter, ...opened(signed.subarray(stretchLengthBytes)), stretch };
  }
}

/**
 * @param {string} participantId
 * @param {RecordClass} recordClass
 * @returns {bigint} the KID under which this participant seals
 */
export function kidOf(participantId, recordClass) {
  const firstEight = new ByteReader(bytesOfId(participantId)).u64();
  return BigInt(classNumbers[recordClass]) << 62n | firstEight & (1n << 62n) - 1n;
}

/**
 * Who sealed a frame, as it says itself, and its place among the sender's frames. Neither is true before the frame has opened.
 * @param {Uint8Array} sealed
 * @returns {{ kid: bigint, counter: number }}
 * @throws {HearthError} `malformed`
 */
export function readHeader(sealed) {
  const { kid, counter } = parseHeader(sealed);
  return { kid, counter };
}

/** @param {Uint8Array} sealed */
function parseHeader(sealed) {
  const { kid, counter, length } = decodeHeader(sealed);
  if (counter >= BigInt(counterLimit)) throw new HearthError('malformed', `The counter ${counter} is above ${counterLimit - 1}`);
  return { kid, counter: Number(counter), headerLength: length };
}

/** @param {Uint8Array<ArrayBuffer>} content */
function opened(content) {
  const { kind, value } = readPadded(content);
  return { kind, payload: value };
}

/**
 * The metadata up to the recipients.
 * @param {EpochKeys} keys
 * @param {string} sessionId
 * @param {RecordClass} recordClass
 */
function contextOf(keys, sessionId, recordClass) {
  return new ByteWriter().raw(bytesOfId(keys.conversationId)).raw(bytesOfId(sessionId)).u64(keys.epoch).u8(classNumbers[recordClass]).finish();
}

/** @param {string[]} recipients */
function recipientsBytes(recipients) {
  if (recipients.length > limits.recipientCountLimit) {
    throw new HearthError('too-large', `${recipients.length} recipients; a frame names at most ${limits.recipientCountLimit}`, {
      limit: limits.recipientCountLimit,
      value: recipients.length,
    });
  }
  // By bytes: the order of base64url's characters is another one.
  const sorted = recipients.map(bytesOfId).toSorted(compareBytes);
  return new ByteWriter().vec(concat(...sorted)).finish();
}

/** @param {Uint8Array} left @param {Uint8Array} right */
function compareBytes(left, right) {
  const index = left.findIndex((byte, each) => byte !== right[each]);
  return index < 0 ? 0 : left[index] - right[index];
}

/** @param {number} sealedLength */
function checkSize(sealedLength) {
  if (sealedLength <= limits.recordSizeLimitBytes) return;
  throw new HearthError('message-too-large', `${sealedLength} sealed bytes; a record or sample has at most ${limits.recordSizeLimitBytes}`, {
    limit: limits.recordSizeLimitBytes,
    value: sealedLength,
  });
}
