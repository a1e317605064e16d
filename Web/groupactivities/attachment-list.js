// The attachments of one session, shared by all its journals: follows the ledger, adds and removes.

import { LatestSequence } from './async-sequence.js';
import { Attachment, AttachmentCore, aborted, coreOf } from './attachment.js';
import { bodyLength } from './body-layout.js';
import { entryKinds } from './entry-sealing.js';
import { HearthError } from './errors.js';
import { randomId } from './identifiers.js';
import { limits } from './limits.js';
import { encodeManifest } from './manifest.js';
import { sessionInvalidated } from './refusals.js';

/** @typedef {import('./attachment.js').ProgressReport} ProgressReport */
/** @typedef {import('./session-port.js').SessionPort} SessionPort */

const lists = /** @type {WeakMap<SessionPort, AttachmentList>} */ (new WeakMap());

export class AttachmentList {
  #port;
  /** In the ledger's order. @type {Map<string, Attachment>} */
  #attachments = new Map();
  /** @type {Set<LatestSequence<readonly Attachment[]>>} */
  #sequences = new Set();
  #isOver = false;

  /** @param {SessionPort} port @returns {AttachmentList} the one of this session */
  static of(port) {
    const list = lists.get(port) ?? new AttachmentList(port);
    lists.set(port, list);
    return list;
  }

  /** @param {SessionPort} port */
  constructor(port) {
    this.#port = port;
    this.#isOver = port.phase === 'invalidated';
    port.listen({
      onLedger: () => this.#follow(),
      onWelcome: () => this.#cores.forEach((core) => core.retryNow()),
      onOver: (reason) => this.#end(reason),
    });
    this.#follow();
  }

  get #cores() {
    return [...this.#attachments.values()].map((attachment) => /** @type {AttachmentCore} */ (coreOf.get(attachment)));
  }

  get #all() {
    return Object.freeze([...this.#attachments.values()]);
  }

  sequence() {
    /** @type {LatestSequence<readonly Attachment[]>} */
    const sequence = new LatestSequence((ended) => this.#sequences.delete(ended));
    sequence.push(this.#all);
    if (this.#isOver) sequence.finish();
    else this.#sequences.add(sequence);
    return sequence;
  }

  #follow() {
    const { ledger } = this.#port;
    if (!ledger || this.#isOver) return;
    let isChanged = false;
    for (const [id, attachment] of this.#attachments) {
      if (ledger.entries.has(id)) continue;
      this.#attachments.delete(id);
      this.#port.sources.delete(id);
      coreOf.get(attachment)?.end(removed());
      isChanged = true;
    }
    for (const entry of ledger.entries.values()) {
      const core = this.#core(entry.id);
      if (core?.entry === entry) continue;
      if (core) core.update(entry);
      else this.#attachments.set(entry.id, new Attachment(new AttachmentCore(this.#port, entry)));
      isChanged = true;
    }
    if (isChanged) for (const sequence of [...this.#sequences]) sequence.push(this.#all);
  }

  /** @param {string} id */
  #core(id) {
    const attachment = this.#attachments.get(id);
    return attachment && coreOf.get(attachment);
  }

  /** @param {HearthError} reason */
  #end(reason) {
    for (const core of this.#cores) {
      // Nobody else can finish it: who leaves takes it back.
      if (reason.code === 'left' && core.isUploading) this.#port.removeNow(core.entry.id).catch(() => {});
      core.end(sessionInvalidated());
    }
    this.#isOver = true;
    for (const sequence of [...this.#sequences]) sequence.finish();
  }

  /**
   * @param {Blob | Uint8Array} item
   * @param {{ metadata?: unknown, onProgress?: (progress: ProgressReport) => void, signal?: AbortSignal }} options
   */
  async add(item, { metadata = null, onProgress, signal }) {
    const blob = item instanceof Blob ? item : new Blob([/** @type {BlobPart} */ (item)]);
    const { size } = blob;
    if (size > limits.attachmentSizeLimitBytes) {
      throw new HearthError('attachment-too-large', `${size} bytes; an attachment has at most ${limits.attachmentSizeLimitBytes}`, { limit: limits.attachmentSizeLimitBytes, value: size });
    }
    const random = () => globalThis.crypto.getRandomValues(new Uint8Array(16));
    const body = encodeManifest({ ikm: random(), salt: random(), plainLength: size, partHashes: [], metadata });
    if (signal?.aborted) throw aborted();
    const id = randomId();
    this.#port.sources.set(id, blob);
    try {
      await this.#port.put({ entryId: id, kind: entryKinds.attachment, body, bodyLength: bodyLength(size), isBodyComplete: false });
    } catch (error) {
      this.#port.sources.delete(id);
      throw error;
    }
    return this.#announced(id, blob, onProgress, signal);
  }

  /**
   * @param {string} id
   * @param {Blob} blob
   * @param {((progress: ProgressReport) => void) | undefined} onProgress
   * @param {AbortSignal | undefined} signal
   */
  #announced(id, blob, onProgress, signal) {
    const attachment = this.#attachments.get(id);
    const core = this.#core(id);
    if (!attachment || !core) throw this.#isOver ? sessionInvalidated() : removed();
    core.startUpload(blob, onProgress);
    core.uploaded?.catch(() => {
      // Half an attachment is of no use to anybody.
      if (this.#attachments.get(id) === attachment && !this.#isOver) this.#port.remove(id).catch(() => {});
    });
    const abort = () => core.abortUpload(aborted());
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    return attachment;
  }

  /** @param {Attachment} attachment */
  async remove(attachment) {
    if (this.#isOver) throw sessionInvalidated();
    if (this.#attachments.get(attachment.id) !== attachment) return;
    await this.#port.remove(attachment.id);
  }
}

function removed() {
  return new HearthError('removed', 'The attachment was removed');
}
