// Loads the sealed parts of one attachment, opens them in order while later ones travel, and trusts nothing before the end.

import { BodyOpener, hashPart, partCount, partLength } from './attachment-body.js';
import { areEqual } from './bytes.js';
import { HearthError } from './errors.js';
import { Attempt, RetryPause, askedPauseMilliseconds, checkOrigin, isPatienceAsked } from './transfers.js';

/** @typedef {import('./upload.js').TransferReport} TransferReport */

/** The relay holds a request for a part to come for 20 s. */
const stallLimitMilliseconds = 40_000;
const partsAhead = 3;
/** While the upload runs its parts come one after the other. */
const partsAheadOfUpload = 2;

export class Download {
  #port;
  #id;
  #onReport;
  #pause;
  #controller = new AbortController();
  /** @type {Set<Attempt>} */
  #attempts = new Set();
  #receivedBytes = 0;
  /** @type {(() => void) | null} */
  #entryChanged = null;
  #entry;

  /**
   * @param {object} options
   * @param {import('./session-port.js').SessionPort} options.port
   * @param {import('./ledger.js').LedgerEntry} options.entry
   * @param {(report: TransferReport) => void} options.onReport
   */
  constructor({ port, entry, onReport }) {
    this.#port = port;
    this.#id = entry.id;
    this.#entry = entry;
    this.#onReport = onReport;
    this.#pause = new RetryPause(port.environment);
  }

  /** @param {HearthError} reason */
  abort(reason) {
    this.#controller.abort(reason);
  }

  /** The connection is back: what hangs on a dead one is asked again. */
  retryNow() {
    for (const attempt of [...this.#attempts]) attempt.giveUp();
    this.#pause.kick();
  }

  /** Another form of the entry has arrived. @param {import('./ledger.js').LedgerEntry} entry */
  update(entry) {
    this.#entry = entry;
    this.#entryChanged?.();
    this.#pause.kick();
  }

  get #hashes() {
    return /** @type {Uint8Array[]} */ (this.#entry.value.partHashes);
  }

  get #isUploaded() {
    return this.#hashes.length > 0;
  }

  /** @returns {Promise<Blob>} rejects with `tampered`, or the reason of `abort` */
  async run() {
    try {
      return await this.#load();
    } catch (error) {
      // Parts that still travel are of no use.
      this.#controller.abort(error);
      throw error;
    }
  }

  async #load() {
    const { bodyLength, value: { ikm, salt, plainLength } } = this.#entry;
    const opener = await BodyOpener.create({ ikm, salt, attachmentId: this.#id, plainLength, bodyLength });
    const parts = partCount(bodyLength);
    /** @type {Map<number, Promise<Uint8Array<ArrayBuffer>>>} */
    const travelling = new Map();
    /** @type {Uint8Array[]} */
    const hashes = [];
    const pieces = [];
    for (let part = 0; part < parts; part += 1) {
      const last = Math.min(parts, part + (this.#isUploaded ? partsAhead : partsAheadOfUpload));
      for (let ahead = part; ahead < last; ahead += 1) if (!travelling.has(ahead)) travelling.set(ahead, this.#part(ahead));
      const bytes = await /** @type {Promise<Uint8Array<ArrayBuffer>>} */ (travelling.get(part));
      travelling.delete(part);
      hashes.push(await hashPart(bytes));
      // A Blob for each part: the browser may keep it elsewhere than in memory.
      pieces.push(new Blob(await opener.part(part, bytes)));
      this.#controller.signal.throwIfAborted();
    }
    await opener.finish();
    await this.#finalEntry();
    if (!this.#hashes.every((hash, part) => areEqual(hash, hashes[part]))) throw new HearthError('tampered', 'The parts are not those that were sent');
    return new Blob(pieces);
  }

  /** Nothing is reported as loaded before the sender has vouched for all of it. */
  #finalEntry() {
    const { signal } = this.#controller;
    return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
      const look = () => {
        if (this.#isUploaded) resolve();
      };
      this.#entryChanged = look;
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
      look();
    }));
  }

  /**
   * @param {number} part
   * @returns {Promise<Uint8Array<ArrayBuffer>>} tries until it is there or the download is aborted
   */
  #part(part) {
    const bytes = this.#persist(part);
    // Whoever needs it awaits it later, or never.
    bytes.catch(() => {});
    return bytes;
  }

  /** @param {number} part */
  async #persist(part) {
    const { signal } = this.#controller;
    for (;;) {
      const release = await this.#port.transfers.downloads.acquire(this, signal, !this.#isUploaded);
      let shortestPause = 0;
      try {
        const bytes = await this.#travel(part);
        this.#pause.succeed();
        return bytes;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NotYet) shortestPause = askedPauseMilliseconds;
        const failure = error instanceof HearthError ? error : new HearthError('relay-unreachable', 'The relay does not answer', { cause: error });
        this.#report(error instanceof NotYet ? 'waiting' : 'interrupted', failure);
      } finally {
        release();
      }
      await this.#pause.wait(signal, shortestPause);
    }
  }

  /** @param {number} part */
  async #travel(part) {
    if (!this.#isUploaded) return this.#request(part);
    const { incoming } = this.#port.transfers;
    const release = await incoming.acquire(this, this.#controller.signal);
    try {
      const started = this.#port.environment.now();
      const bytes = await this.#request(part);
      incoming.travelled(this.#port.environment.now() - started, bytes.length);
      return bytes;
    } finally {
      release();
    }
  }

  /** @param {number} part */
  async #request(part) {
    const attempt = new Attempt(this.#port.environment, this.#controller.signal, stallLimitMilliseconds);
    this.#attempts.add(attempt);
    try {
      const response = await this.#port.transfers.routes.getPart(this.#port.id, this.#id, part, attempt.signal);
      checkOrigin(response);
      if (isPatienceAsked(response.status)) throw new NotYet('relay-unreachable', 'The part is not there yet', { value: response.status });
      if (response.status === 401) throw new HearthError('not-invited', 'The relay does not know our token');
      if (response.status !== 200 || !response.body) throw new HearthError('relay-unreachable', `The relay answered with status ${response.status}`, { value: response.status });
      return await this.#receive(response.body, partLength(part, this.#entry.bodyLength), attempt);
    } finally {
      this.#attempts.delete(attempt);
      attempt.end();
    }
  }

  /**
   * @param {ReadableStream<Uint8Array>} body
   * @param {number} length
   * @param {Attempt} attempt
   */
  async #receive(body, length, attempt) {
    const bytes = new Uint8Array(length);
    const reader = body.getReader();
    let received = 0;
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        if (received + value.length > length) throw new HearthError('not-from-relay', 'A part that is too long', { limit: length, value: received + value.length });
        bytes.set(value, received);
        received += value.length;
        this.#receivedBytes += value.length;
        attempt.moved();
        this.#report('moving');
      }
      if (received < length) throw new HearthError('relay-unreachable', 'A part was cut off', { limit: length, value: received });
      return bytes;
    } catch (error) {
      this.#receivedBytes -= received;
      reader.cancel().catch(() => {});
      throw error;
    }
  }

  /**
   * @param {TransferReport['phase']} phase
   * @param {HearthError | null} [error]
   */
  #report(phase, error = null) {
    if (!this.#controller.signal.aborted) this.#onReport({ bytes: this.#receivedBytes, phase, error });
  }
}

class NotYet extends HearthError {}
