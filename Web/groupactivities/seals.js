// Opens what the relay hands over and seals what goes to it, for one participant, each key made once.

import { bodyLength } from './body-layout.js';
import { readDoor } from './door.js';
import { entryKinds, openEntry, readActivity, readIntroduction, sealEntry } from './entry-sealing.js';
import { HearthError } from './errors.js';
import { OWN_SESSION } from './identifiers.js';
import { judge } from './log-stretch.js';
import { decodeManifest } from './manifest.js';
import { RecordOpener, RecordSealer, readHeader } from './record-sealing.js';

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./session-state.js').Opened} Opened */
/** @typedef {import('./record-sealing.js').RecordClass} RecordClass */
/** @typedef {(kid: bigint) => { senderId: string, publicKey: Uint8Array } | null} SenderOf */

export class Seals {
  #keys;
  #identity;
  /** Kept as long as the identity: a second sealer for the same session would use its counters again. @type {Map<string, Promise<RecordSealer>>} */
  #sealers = new Map();
  /** @type {Map<string, Promise<RecordOpener>>} */
  #openers = new Map();

  /**
   * @param {import('./keys.js').EpochKeys} keys
   * @param {import('./identity.js').Identity} identity
   */
  constructor(keys, identity) {
    this.#keys = keys;
    this.#identity = identity;
  }

  /**
   * @param {string} sessionId
   * @param {RecordClass} recordClass
   */
  sealer(sessionId, recordClass) {
    return made(this.#sealers, `${sessionId} ${recordClass}`, () =>
      RecordSealer.create({ keys: this.#keys, identity: this.#identity, sessionId, class: recordClass }));
  }

  /** @param {{ sessionId: string, entryId: string, kind: number, body: Uint8Array }} entry */
  sealEntry(entry) {
    return sealEntry({ keys: this.#keys, identity: this.#identity, ...entry });
  }

  /**
   * @param {Frame} frame
   * @param {SenderOf} senderOf
   * @param {import('./log-chain.js').LogChain} [chain] of the frame's session
   * @returns {Promise<Opened>} never rejects
   */
  async open(frame, senderOf, chain) {
    try {
      if (frame.type === 'entry') return await this.#openEntry(frame);
      if (frame.type === 'door') return await this.#openAt(OWN_SESSION, frame.sealed);
      if (frame.type === 'knocking') return await this.#openAt(frame.participant, frame.sealed);
      if (frame.type === 'ordered') return await this.#openRecord(frame, 'record', senderOf, chain);
      if (frame.type === 'sampled') return await this.#openRecord(frame, 'sample', senderOf);
      return null;
    } catch {
      return 'failed';
    }
  }

  /** What is sealed as an entry of the own session and is none. @param {string} entryId @param {Uint8Array} sealed */
  async #openAt(entryId, sealed) {
    const { body, ...rest } = await openEntry({ keys: this.#keys, sessionId: OWN_SESSION, entryId, sealed });
    return { ...rest, value: rest.kind === entryKinds.door ? readDoor(body) : readBody(rest.kind, body, 0) };
  }

  /** @param {import('./frames.js').FrameOf<'entry'>} frame */
  async #openEntry({ session, entry, sealed, bodyLength: announced }) {
    const { body, ...rest } = await openEntry({ keys: this.#keys, sessionId: session, entryId: entry, sealed });
    return { ...rest, value: readBody(rest.kind, body, announced) };
  }

  /**
   * @param {import('./frames.js').FrameOf<'ordered'> | import('./frames.js').FrameOf<'sampled'>} frame
   * @param {RecordClass} recordClass
   * @param {SenderOf} senderOf
   * @param {import('./log-chain.js').LogChain} [chain]
   * @returns {Promise<import('./session-state.js').OpenedRecord>}
   */
  async #openRecord({ session, recipients, sealed }, recordClass, senderOf, chain) {
    const sender = senderOf(readHeader(sealed).kid);
    if (!sender) throw new HearthError('tampered', 'Nobody who was introduced seals under that KID');
    const { senderId, publicKey } = sender;
    const opener = await made(this.#openers, `${session} ${recordClass} ${senderId}`, () =>
      RecordOpener.create({ keys: this.#keys, sessionId: session, class: recordClass, senderId, publicKey }));
    const { stretch, ...record } = await opener.open({ sealed, recipients });
    if (!stretch || !chain) return { senderId, ...record };
    return { senderId, ...record, told: { incarnation: stretch.incarnation, from: stretch.from, to: stretch.to, verdict: await judge(chain, session, stretch) } };
  }
}

/**
 * @param {number} kind
 * @param {Uint8Array} body
 * @param {number} announced the length that the relay keeps of the attachment's body
 */
function readBody(kind, body, announced) {
  switch (kind) {
    case entryKinds.introduction:
      return readIntroduction(body);
    case entryKinds.activity:
      return readActivity(body);
    case entryKinds.attachment: {
      const manifest = decodeManifest(body);
      if (bodyLength(manifest.plainLength) !== announced) throw new HearthError('tampered', `A body of ${announced} bytes for an attachment of ${manifest.plainLength}`);
      return manifest;
    }
    default:
      throw new HearthError('malformed', `An entry of the unknown kind ${kind}`);
  }
}

/**
 * @template T
 * @param {Map<string, Promise<T>>} cache
 * @param {string} key
 * @param {() => Promise<T>} make
 */
function made(cache, key, make) {
  let value = cache.get(key);
  if (!value) {
    value = make();
    cache.set(key, value);
  }
  return value;
}
