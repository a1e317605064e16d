// One attachment as an app holds it, from its announcement until it is removed.

import { Download } from './download.js';
import { HearthError } from './errors.js';
import { Upload } from './upload.js';

/** @typedef {import('./ledger.js').LedgerEntry} LedgerEntry */
/** @typedef {import('./participant.js').Participant} Participant */
/** @typedef {import('./session-port.js').SessionPort} SessionPort */
/** @typedef {{ bytes: number, total: number }} ProgressReport plain bytes */
/**
 * `waiting`: nothing has moved yet; `interrupted`: it goes on by itself, `error` tells what was in the way.
 * @typedef {Readonly<ProgressReport & { phase: 'waiting' | 'moving' | 'interrupted' | 'done' | 'failed', error: HearthError | null }>} Progress
 */

/** How the journal's parts tell an attachment what they know; not exported to apps. @type {WeakMap<Attachment, AttachmentCore>} */
export const coreOf = new WeakMap();

/** The same object for as long as the attachment is there. Event: `progresschange`. */
export class Attachment extends EventTarget {
  #core;

  /** @param {AttachmentCore} core */
  constructor(core) {
    super();
    this.#core = core;
    coreOf.set(this, core);
    core.onProgress = () => this.dispatchEvent(new Event('progresschange'));
  }

  get id() {
    return this.#core.entry.id;
  }

  /** Any JSON value, from whoever added it. */
  get metadata() {
    return this.#core.entry.value.metadata;
  }

  /** Bytes, before sealing. @returns {number} */
  get size() {
    return this.#core.entry.value.plainLength;
  }

  /** Null when its maker has left the conversation. @returns {Participant | null} */
  get owner() {
    const { port, entry } = this.#core;
    return port.isPresent(entry.makerId) ? port.participant(entry.makerId) : null;
  }

  /** Whether the local participant added it. */
  get isLocal() {
    return this.#core.isLocal;
  }

  /** Whether the relay has all of it: the final entry has been seen. */
  get isUploaded() {
    return this.#core.isUploaded;
  }

  /**
   * The own upload: resolves when the relay has everything on disk; rejects with `removed`, `aborted`, `source-changed`, `proxy-limit`, `session-invalidated` and the like.
   * Undefined for what others added.
   * @returns {Promise<void> | undefined}
   */
  get uploaded() {
    return this.#core.uploaded;
  }

  /** The upload's for one's own, else that of the last `load`. @returns {Progress} */
  get progress() {
    return this.#core.progress;
  }

  /**
   * The item, byte for byte, once all of it has been checked; one's own is given back as it was added. Works while it is still being sent, waits for it, and goes on after
   * interruptions for as long as the attachment is there. Calls at the same time share one download; nothing is kept afterwards.
   * @param {{ onProgress?: (progress: ProgressReport) => void, signal?: AbortSignal }} [options]
   * @returns {Promise<Blob>} rejects with `removed`, `tampered`, `session-invalidated`, `aborted`
   */
  load(options = {}) {
    return this.#core.load(options);
  }
}

/** @typedef {{ onProgress?: (progress: ProgressReport) => void }} Loader */

export class AttachmentCore {
  /** @type {Promise<void> | undefined} */
  uploaded;
  /** @type {HearthError | null} */
  #gone = null;
  /** @type {Upload | null} */
  #upload = null;
  /** @type {{ download: Download, result: Promise<Blob>, loaders: Set<Loader> } | null} */
  #loading = null;
  onProgress = () => {};

  /**
   * @param {SessionPort} port
   * @param {LedgerEntry} entry
   */
  constructor(port, entry) {
    this.port = port;
    this.entry = entry;
    const isDone = this.isLocal && this.isUploaded;
    /** @type {Progress} */
    this.progress = Object.freeze({ bytes: isDone ? this.#total : 0, total: this.#total, phase: isDone ? 'done' : 'waiting', error: null });
  }

  get #total() {
    return /** @type {number} */ (this.entry.value.plainLength);
  }

  get isLocal() {
    return this.entry.makerId === this.port.localId;
  }

  get isUploaded() {
    return this.entry.value.partHashes.length > 0;
  }

  /** @param {LedgerEntry} entry */
  update(entry) {
    this.entry = entry;
    this.#loading?.download.update(entry);
  }

  retryNow() {
    this.#upload?.retryNow();
    this.#loading?.download.retryNow();
  }

  /** Nothing more comes of it. @param {HearthError} reason */
  end(reason) {
    this.#gone ??= reason;
    this.#upload?.abort(reason);
    this.#loading?.download.abort(reason);
  }

  get isUploading() {
    return this.#upload !== null;
  }

  /**
   * @param {Blob} item
   * @param {(progress: ProgressReport) => void} [onProgress]
   */
  startUpload(item, onProgress) {
    const { port, entry } = this;
    const upload = new Upload({ port, id: entry.id, item, manifest: entry.value, onReport: (report) => this.#report(report, [{ onProgress }]) });
    this.#upload = upload;
    this.uploaded = this.#follow(upload.run(), [{ onProgress }]).finally(() => {
      this.#upload = null;
    });
    // Who does not look at it is not to be told of an unhandled rejection.
    this.uploaded.catch(() => {});
    if (this.#gone) upload.abort(this.#gone);
  }

  /** @param {HearthError} reason */
  abortUpload(reason) {
    this.#upload?.abort(reason);
  }

  /** @param {{ onProgress?: (progress: ProgressReport) => void, signal?: AbortSignal }} options @returns {Promise<Blob>} */
  async load({ onProgress, signal }) {
    if (signal?.aborted) throw aborted();
    if (this.#gone) throw this.#gone;
    const source = this.port.sources.get(this.entry.id);
    if (source) return source;
    const loading = this.#loading ?? this.#startLoading();
    const loader = { onProgress };
    loading.loaders.add(loader);
    try {
      return await (signal ? untilAborted(loading.result, signal) : loading.result);
    } finally {
      loading.loaders.delete(loader);
      if (loading.loaders.size === 0 && this.#loading === loading) {
        this.#loading = null;
        loading.download.abort(aborted());
      }
    }
  }

  #startLoading() {
    /** @type {Set<Loader>} */
    const loaders = new Set();
    const download = new Download({ port: this.port, entry: this.entry, onReport: (report) => this.#report(report, loaders) });
    const result = this.#follow(download.run(), loaders).finally(() => {
      if (this.#loading?.download === download) this.#loading = null;
    });
    result.catch(() => {});
    this.#loading = { download, result, loaders };
    return this.#loading;
  }

  /**
   * @template T
   * @param {Promise<T>} transfer
   * @param {Iterable<Loader>} loaders
   */
  async #follow(transfer, loaders) {
    try {
      const result = await transfer;
      this.#report({ bytes: this.entry.bodyLength, phase: 'done', error: null }, loaders);
      return result;
    } catch (error) {
      const failure = error instanceof HearthError ? error : new HearthError('tampered', 'The transfer failed', { cause: error });
      const isAborted = failure.code === 'aborted';
      this.#report({ bytes: 0, phase: isAborted ? 'waiting' : 'failed', error: isAborted ? null : failure }, loaders);
      throw failure;
    }
  }

  /**
   * @param {import('./upload.js').TransferReport} report sealed bytes
   * @param {Iterable<Loader>} loaders
   */
  #report({ bytes, phase, error }, loaders) {
    const total = this.#total;
    const progress = Object.freeze({ bytes: Math.min(total, Math.round(total * bytes / this.entry.bodyLength)), total, phase, error });
    const { progress: before } = this;
    if (before.bytes === progress.bytes && before.phase === phase && before.error?.code === error?.code) return;
    this.progress = progress;
    this.onProgress();
    if (before.bytes === progress.bytes) return;
    for (const { onProgress } of loaders) onProgress?.({ bytes: progress.bytes, total });
  }
}

export function aborted() {
  return new HearthError('aborted', 'Aborted by its caller');
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>} rejects with `aborted` when the signal comes first
 */
export function untilAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
