// Fetches the originals of photos that others have added: what somebody looks at first, then the rest, newest first, as many as there is room for.

import { causeOf, errorCode } from './causes.js';
import { inspectPhoto } from './photos/inspect.js';
import { backgroundLoadConcurrency, originalsBudgetBytes } from './photos/limits.js';

/** @typedef {import('./model.js').Photo} Photo */
/**
 * @typedef {object} LoadableAttachment the part of an `Attachment` that is used here
 * @property {(options: { signal: AbortSignal }) => Promise<Blob>} load
 * @property {{ bytes: number, total: number, phase: string, error?: { code: string } | null }} progress
 * @property {(type: 'progresschange', listener: () => void) => void} addEventListener
 * @property {(type: 'progresschange', listener: () => void) => void} removeEventListener
 */

// Not only what is looked at is fetched: once all have left nothing of it is anywhere but on their screens. But no page can hold ten gigabytes:
// beyond a budget an original stays with the relay, comes when it is wanted, and makes the one go that was longest not wanted.
export class Originals {
  /** @type {Map<string, { attachment: LoadableAttachment, isWanted: boolean, abort: AbortController | null }>} */
  #entries = new Map();
  /** Those that have come, longest not wanted first. @type {Map<string, LoadableAttachment>} */
  #arrived = new Map();
  #isStopped = false;

  /** @param {import('./model.js').Gallery} gallery @param {number} [budgetBytes] */
  constructor(gallery, budgetBytes = originalsBudgetBytes()) {
    this.gallery = gallery;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Makes the photo's original come in its turn.
   * @param {string} photoId
   * @param {LoadableAttachment} attachment
   */
  add(photoId, attachment) {
    if (this.#isStopped || this.#entries.has(photoId) || this.#arrived.has(photoId)) return;
    this.#entries.set(photoId, { attachment, isWanted: false, abort: null });
    this.#next();
  }

  /**
   * Somebody looks at it, or wants to save it: it comes at once. A photo that had failed is tried again.
   * @param {string} photoId
   */
  want(photoId) {
    const arrived = this.#arrived.get(photoId);
    if (arrived) {
      this.#arrived.delete(photoId);
      this.#arrived.set(photoId, arrived);
    }
    const entry = this.#entries.get(photoId);
    if (!entry || entry.abort !== null || this.#isStopped) return;
    entry.isWanted = true;
    this.#load(photoId, entry);
  }

  /** @param {string} photoId */
  forget(photoId) {
    this.#entries.get(photoId)?.abort?.abort();
    this.#entries.delete(photoId);
    this.#arrived.delete(photoId);
  }

  /** Nothing more will come: what is not here is lost. */
  stop() {
    this.#isStopped = true;
    for (const [photoId, entry] of this.#entries) {
      entry.abort?.abort();
      this.gallery.update(photoId, { load: 'lost', progress: null });
    }
    this.#entries.clear();
  }

  /** A photo that was being removed stays after all. */
  goOn() {
    if (!this.#isStopped) this.#next();
  }

  #next() {
    let running = [...this.#entries.values()].filter((entry) => entry.abort !== null).length;
    if (running >= backgroundLoadConcurrency) return;
    let usedBytes = this.#usedBytes();
    for (const photo of this.gallery.photos.toReversed()) {
      if (running >= backgroundLoadConcurrency) return;
      const entry = this.#entries.get(photo.id);
      if (!entry || entry.abort !== null || photo.failure !== null || photo.load === 'there' || photo.isLeaving) continue;
      if (usedBytes + photo.sizeBytes > this.budgetBytes) {
        this.gallery.update(photo.id, { load: 'there' });
        continue;
      }
      usedBytes += photo.sizeBytes;
      running += 1;
      this.#load(photo.id, entry);
    }
  }

  /** @param {string} photoId @param {{ attachment: LoadableAttachment, abort: AbortController | null }} entry */
  async #load(photoId, entry) {
    const abort = new AbortController();
    entry.abort = abort;
    this.gallery.update(photoId, { load: 'loading', failure: null });
    const { attachment } = entry;
    const report = () => this.gallery.update(photoId, { progress: attachment.progress });
    attachment.addEventListener('progresschange', report);
    try {
      const blob = await attachment.load({ signal: abort.signal });
      attachment.removeEventListener('progresschange', report);
      if (abort.signal.aborted) return;
      await this.#accept(photoId, blob);
      this.#entries.delete(photoId);
      if (this.gallery.photo(photoId)?.original) {
        this.#arrived.set(photoId, attachment);
        this.#makeRoom(photoId);
      }
    } catch (error) {
      if (abort.signal.aborted || this.#isStopped) return;
      entry.abort = null;
      this.#failed(photoId, error);
    } finally {
      attachment.removeEventListener('progresschange', report);
    }
    this.#next();
  }

  /** What others' originals take, and will take that are on their way. */
  #usedBytes() {
    return this.gallery.photos.reduce((sum, { id, isMine, original, sizeBytes }) => (!isMine && (original !== null || this.#entries.get(id)?.abort) ? sum + sizeBytes : sum), 0);
  }

  /** @param {string} stays */
  #makeRoom(stays) {
    let overBytes = this.#usedBytes() - this.budgetBytes;
    for (const [photoId, attachment] of this.#arrived) {
      if (overBytes <= 0) return;
      if (photoId === stays) continue;
      overBytes -= this.gallery.photo(photoId)?.sizeBytes ?? 0;
      this.#arrived.delete(photoId);
      this.#entries.set(photoId, { attachment, isWanted: false, abort: null });
      this.gallery.update(photoId, { original: null, load: 'there' });
    }
  }

  /**
   * What came is judged by its content, as if it had been dropped here: its maker may have said anything.
   * @param {string} photoId
   * @param {Blob} blob
   */
  async #accept(photoId, blob) {
    const { facts, refusal } = await inspectPhoto(blob);
    if (refusal !== undefined) {
      this.gallery.update(photoId, { load: 'waiting', progress: null, failure: { ...refusal } });
      return;
    }
    const { type, takenAt, ...known } = facts;
    // Its maker read the date before the camera's data was taken out.
    const dated = takenAt === null ? {} : { takenAt };
    this.gallery.update(photoId, { ...known, ...dated, sizeBytes: blob.size, original: new Blob([blob], { type }), load: 'here', progress: null });
  }

  /** @param {string} photoId @param {unknown} error */
  #failed(photoId, error) {
    if (errorCode(error) === 'removed') this.#entries.delete(photoId);
    else this.gallery.update(photoId, { load: 'waiting', progress: null, failure: causeOf(error) });
  }
}
