// The kept entries of one session as a participant knows them: a value that decides which form of an entry stands.

import { areEqual } from './bytes.js';
import { entryKinds } from './entry-sealing.js';

/**
 * What was inside a sealed entry, once it opened and could be read. `value` depends on the kind.
 * @typedef {{ makerId: string, publicKey: Uint8Array, kind: number, value: any }} OpenedEntry
 */
/** @typedef {OpenedEntry & { id: string, version: number, bodyLength: number, isBodyComplete: boolean }} LedgerEntry */

export class Ledger {
  /** By name, in order of version. @type {Map<string, LedgerEntry>} */
  entries = new Map();
  /** Entries that did not open, could not be read, or replaced what was not theirs. */
  ignoredCount = 0;
  /** The whole ledger has been handed over and the connection has not been lost since. */
  isComplete = false;
  /** While a snapshot arrives: what it has not confirmed yet. @type {Set<string> | null} */
  #unconfirmed = null;
  /** While a snapshot arrives: what was removed meanwhile. @type {Set<string>} */
  #tombstones = new Set();
  #hasSnapshot = false;
  #isAcceptable;

  /** @param {(known: LedgerEntry | undefined, next: LedgerEntry) => boolean} isAcceptable whether `next` may stand where `known` stood */
  constructor(isAcceptable) {
    this.#isAcceptable = isAcceptable;
  }

  /** The relay is about to hand over everything: what it does not name is gone. */
  beginSnapshot() {
    this.isComplete = false;
    this.#hasSnapshot = false;
    this.#unconfirmed = new Set(this.entries.keys());
    this.#tombstones = new Set();
  }

  /** @returns {boolean} whether entries went */
  completeSnapshot() {
    const gone = this.#unconfirmed ?? new Set();
    for (const id of gone) this.entries.delete(id);
    this.#unconfirmed = null;
    this.#tombstones = new Set();
    this.#hasSnapshot = true;
    this.isComplete = true;
    return gone.size > 0;
  }

  /** A snapshot was given whole and none has begun since, though the connection may have been lost. */
  get hasSnapshot() {
    return this.#hasSnapshot;
  }

  /** The connection is lost: from now on the ledger may be behind. */
  interrupt() {
    this.isComplete = false;
  }

  /** What was missed while the connection was away has been taken in. */
  resume() {
    this.isComplete = this.#hasSnapshot;
  }

  /**
   * @param {string} id
   * @param {{ version: number, bodyLength: number, isBodyComplete: boolean }} place
   * @param {OpenedEntry | null} opened null: it did not open, or says nothing that can be read
   * @param {boolean} isOfSnapshot
   * @returns {boolean} whether the ledger changed
   */
  put(id, { version, bodyLength, isBodyComplete }, opened, isOfSnapshot) {
    this.#unconfirmed?.delete(id);
    if (isOfSnapshot && this.#tombstones.has(id)) return false;
    const known = this.entries.get(id);
    if (known && version <= known.version) return false;
    const next = opened && { ...opened, id, version, bodyLength, isBodyComplete };
    if (!next || !this.#isAcceptable(known, next)) {
      this.ignoredCount += 1;
      return false;
    }
    this.entries.set(id, next);
    return true;
  }

  /**
   * @param {string} id
   * @returns {boolean} whether the ledger changed
   */
  remove(id) {
    if (this.#unconfirmed) this.#tombstones.add(id);
    this.#unconfirmed?.delete(id);
    return this.entries.delete(id);
  }
}

/**
 * The own session: introductions named like their makers, and activities, which anybody may replace.
 * @param {LedgerEntry | undefined} known
 * @param {LedgerEntry} next
 */
export function isAcceptableInOwnSession(known, next) {
  if (known && known.kind !== next.kind) return false;
  if (next.kind === entryKinds.introduction) return next.id === next.makerId;
  return next.kind === entryKinds.activity;
}

/**
 * Any other session: attachments, replaced only by who made them, and never by another body.
 * @param {LedgerEntry | undefined} known
 * @param {LedgerEntry} next
 */
export function isAcceptableInSession(known, next) {
  if (next.kind !== entryKinds.attachment) return false;
  if (!known) return true;
  const [before, after] = [known.value, next.value];
  return areEqual(known.publicKey, next.publicKey) && known.bodyLength === next.bodyLength
    && areEqual(before.ikm, after.ikm) && areEqual(before.salt, after.salt) && before.plainLength === after.plainLength
    // The hashes, once given, stay: the final form is not taken back.
    && (before.partHashes.length === 0 || after.partHashes.length > 0);
}
