// Sends the sealed parts of one attachment, in any order, as often as it takes, and then says that they are whole.

import { BodySealer, hashPart, partLength } from './attachment-body.js';
import { entryKinds } from './entry-sealing.js';
import { HearthError } from './errors.js';
import { encodeManifest } from './manifest.js';
import { Attempt, RetryPause, askedPauseMilliseconds, checkOrigin, isPatienceAsked, parallelPartLimit } from './transfers.js';

/** @typedef {{ bytes: number, phase: 'waiting' | 'moving' | 'interrupted' | 'done' | 'failed', error: HearthError | null }} TransferReport */

/** A part of 1 MiB that takes longer than this (70 kbit/s) is tried again. */
const partTimeLimitMilliseconds = 120_000;

export class Upload {
  #port;
  #id;
  #item;
  #manifest;
  #onReport;
  #pause;
  #controller = new AbortController();
  /** @type {Set<Attempt>} */
  #attempts = new Set();
  /** @type {Uint8Array[]} */
  #hashes = [];
  #storedBytes = 0;

  /**
   * @param {object} options
   * @param {import('./session-port.js').SessionPort} options.port
   * @param {string} options.id
   * @param {Blob} options.item
   * @param {import('./manifest.js').Manifest} options.manifest
   * @param {(report: TransferReport) => void} options.onReport
   */
  constructor({ port, id, item, manifest, onReport }) {
    this.#port = port;
    this.#id = id;
    this.#item = item;
    this.#manifest = manifest;
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

  /** Resolves when the relay has everything on disk and the final entry has its place. */
  async run() {
    const { ikm, salt, plainLength } = this.#manifest;
    const sealer = await BodySealer.create({ ikm, salt, attachmentId: this.#id, plainLength, read: (offset, length) => this.#read(offset, length) });
    let missing = Array.from({ length: sealer.partCount }, (_, part) => part);
    for (;;) {
      const failure = await this.#sendParts(sealer, missing) ?? await this.#finish();
      if (failure === null) return;
      await this.#interrupted(failure);
      missing = await this.#askMissing(sealer);
    }
  }

  /** @param {number} offset @param {number} length */
  async #read(offset, length) {
    try {
      return new Uint8Array(await this.#item.slice(offset, offset + length).arrayBuffer());
    } catch (cause) {
      throw new HearthError('source-changed', 'What is being sent can no longer be read', { cause });
    }
  }

  /**
   * @param {BodySealer} sealer
   * @param {number[]} missing
   * @returns {Promise<HearthError | null>} what interrupted it
   */
  async #sendParts(sealer, missing) {
    const parts = [...missing];
    this.#storedBytes = sealer.bodyLength - parts.reduce((sum, part) => sum + partLength(part, sealer.bodyLength), 0);
    /** @type {HearthError | null} */
    let failure = null;
    const work = async () => {
      while (parts.length > 0 && failure === null) {
        const release = await this.#port.transfers.uploads.acquire(this, this.#signal);
        try {
          const part = failure === null ? parts.shift() : undefined;
          if (part !== undefined) await this.#sendPart(sealer, part);
        } catch (error) {
          // Nobody begins another part, whether this may pass or not.
          parts.length = 0;
          failure ??= this.#passing(error);
        } finally {
          release();
        }
      }
    };
    const results = await Promise.allSettled(Array.from({ length: Math.min(parallelPartLimit, parts.length) }, work));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return failure;
  }

  get #signal() {
    return this.#controller.signal;
  }

  /**
   * @param {BodySealer} sealer
   * @param {number} part
   */
  async #sendPart(sealer, part) {
    this.#report('moving');
    const bytes = await sealer.part(part);
    this.#hashes[part] ??= await hashPart(bytes);
    await this.#travel(part, bytes);
    this.#pause.succeed();
    this.#storedBytes += bytes.length;
    this.#report('moving');
  }

  /** @param {number} part @param {Uint8Array<ArrayBuffer>} bytes */
  async #travel(part, bytes) {
    const { outgoing, routes } = this.#port.transfers;
    const release = await outgoing.acquire(this, this.#signal);
    try {
      const started = this.#port.environment.now();
      const response = await this.#attempt((signal) => routes.putPart(this.#port.id, this.#id, part, new Blob([bytes]), signal));
      if (response.status !== 201 && response.status !== 200) throw refusal(response);
      outgoing.travelled(this.#port.environment.now() - started, bytes.length);
    } finally {
      release();
    }
  }

  /**
   * @param {(signal: AbortSignal) => Promise<Response>} request
   * @returns {Promise<{ status: number, text: string }>} what the relay answered, read to its end: only then does the browser use the connection again
   */
  async #attempt(request) {
    const attempt = new Attempt(this.#port.environment, this.#signal, partTimeLimitMilliseconds);
    this.#attempts.add(attempt);
    try {
      const response = await request(attempt.signal);
      checkOrigin(response);
      return { status: response.status, text: await response.text() };
    } finally {
      this.#attempts.delete(attempt);
      attempt.end();
    }
  }

  /**
   * What may pass by itself; anything else is thrown.
   * @param {unknown} error
   * @returns {HearthError}
   */
  #passing(error) {
    if (this.#signal.aborted) throw this.#signal.reason;
    if (!(error instanceof HearthError)) return new HearthError('relay-unreachable', 'The relay does not answer', { cause: error });
    if (lasting.has(error.code)) throw error;
    return error;
  }

  /** @param {HearthError} failure */
  async #interrupted(failure) {
    this.#report('interrupted', failure);
    await this.#pause.wait(this.#signal, isPatienceAsked(failure.value) ? askedPauseMilliseconds : 0);
  }

  /** @param {BodySealer} sealer @returns {Promise<number[]>} the parts that the relay does not hold */
  async #askMissing(sealer) {
    for (;;) {
      try {
        const response = await this.#attempt((signal) => this.#port.transfers.routes.getStatus(this.#port.id, this.#id, signal));
        if (response.status !== 200) throw refusal(response);
        const { missing } = JSON.parse(response.text);
        const isPart = (/** @type {unknown} */ part) => Number.isInteger(part) && Number(part) >= 0 && Number(part) < sealer.partCount;
        if (!Array.isArray(missing) || !missing.every(isPart)) throw new HearthError('not-from-relay', 'A status that names no parts');
        // A part whose hash was never taken is sent, whatever the relay says of it.
        return Array.from({ length: sealer.partCount }, (_, part) => part).filter((part) => missing.includes(part) || !this.#hashes[part]);
      } catch (error) {
        await this.#interrupted(this.#passing(error));
      }
    }
  }

  /** @returns {Promise<HearthError | null>} */
  async #finish() {
    const body = encodeManifest({ ...this.#manifest, partHashes: this.#hashes });
    const { bodyLength } = /** @type {import('./ledger.js').LedgerEntry} */ (this.#port.ledger?.entries.get(this.#id) ?? this.#gone());
    try {
      await this.#port.put({ entryId: this.#id, kind: entryKinds.attachment, body, bodyLength, isBodyComplete: true });
      return null;
    } catch (error) {
      return this.#passing(error);
    }
  }

  /** @returns {never} */
  #gone() {
    throw this.#signal.aborted ? this.#signal.reason : new HearthError('removed', 'The attachment was removed');
  }

  /**
   * @param {TransferReport['phase']} phase
   * @param {HearthError | null} [error]
   */
  #report(phase, error = null) {
    this.#onReport({ bytes: this.#storedBytes, phase, error });
  }
}

/** What trying again would not mend. @type {ReadonlySet<import('./errors.js').HearthErrorCode>} */
const lasting = new Set(['source-changed', 'proxy-limit', 'too-large', 'not-invited', 'malformed', 'removed', 'session-invalidated', 'aborted', 'not-permitted', 'entry-too-large']);

/** @param {{ status: number }} response of the relay */
function refusal({ status }) {
  const details = { value: status };
  const text = `The relay answered a part with status ${status}`;
  switch (status) {
    case 400:
      return new HearthError('malformed', text, details);
    case 401:
      return new HearthError('not-invited', text, details);
    case 411:
      return new HearthError('proxy-limit', `${text}: something in front of it changed the request`, details);
    case 413:
      return new HearthError('too-large', text, details);
    case 507:
      return new HearthError('storage-failed', text, details);
    default:
      // 404 too: while the entry stands the relay may just have come back; when it goes, the upload is aborted.
      return new HearthError('relay-unreachable', text, details);
  }
}
