// Takes files that somebody chose, dropped or pasted, judges each on its own, and makes photos of those that are pictures.

import { Queue } from './queue.js';
import { formats } from './photos/formats.js';
import { inspectPhoto } from './photos/inspect.js';
import { preparationConcurrency } from './photos/limits.js';

/** @typedef {import('./model.js').Photo} Photo */
/** @typedef {import('./photos/inspect.js').PhotoFacts} PhotoFacts */

const inspectionConcurrency = 8;

export class PhotoIntake {
  #inspections = new Queue(inspectionConcurrency);
  #preparations = new Queue(preparationConcurrency);
  #lastAddedAt = 0;

  /**
   * @param {import('./model.js').Gallery} gallery
   * @param {object} surroundings
   * @param {(blob: Blob, order: import('./photos/thumbnail-drawing.js').DrawingOrder) => Promise<Blob>} surroundings.makeThumbnail
   * @param {() => boolean} surroundings.isSharing whether what is added now is meant for the others
   * @param {(id: string) => void} surroundings.onPrepared
   * @param {() => number} [surroundings.now] milliseconds
   */
  constructor(gallery, { makeThumbnail, isSharing, onPrepared, now = Date.now }) {
    this.gallery = gallery;
    this.makeThumbnail = makeThumbnail;
    this.isSharing = isSharing;
    this.onPrepared = onPrepared;
    this.now = now;
  }

  /**
   * Resolves when every file is a photo with a thumbnail or has been refused with a notice; never rejects.
   * @param {Iterable<File>} files
   */
  async add(files) {
    await Promise.all([...files].map((file) => this.#addOne(file, this.#nextTime())));
  }

  /** Files chosen together keep their order. */
  #nextTime() {
    this.#lastAddedAt = Math.max(this.#lastAddedAt + 1, this.now());
    return this.#lastAddedAt;
  }

  /** @param {File} file @param {number} addedAtMilliseconds */
  async #addOne(file, addedAtMilliseconds) {
    const { facts, refusal } = await this.#inspections.run(() => inspectPhoto(file));
    if (refusal !== undefined) {
      this.gallery.notify({ kind: 'refused', name: file.name, ...refusal });
      return;
    }
    const photo = photoFrom(file, facts, addedAtMilliseconds, this.isSharing(), this.gallery.sharing.name);
    this.gallery.add(photo);
    if (!photo.isPrepared) await this.#preparations.run(() => this.#prepare(photo, facts));
    this.onPrepared(photo.id);
  }

  /** @param {Photo} photo @param {PhotoFacts} facts */
  async #prepare(photo, facts) {
    const blob = photo.original;
    if (blob === null || !this.gallery.photo(photo.id)) return;
    try {
      const thumbnail = await this.makeThumbnail(blob, facts);
      this.gallery.update(photo.id, { thumbnail, isPrepared: true });
    } catch {
      if (formats[facts.format].isAlwaysShown) {
        this.gallery.remove(photo.id);
        this.gallery.notify({ kind: 'refused', name: photo.name, code: 'damaged' });
      } else {
        this.gallery.update(photo.id, { isPrepared: true });
      }
    }
  }
}

/**
 * @param {File} file @param {PhotoFacts} facts @param {number} addedAtMilliseconds @param {boolean} isIntended @param {string} ownerName
 * @returns {Photo}
 */
function photoFrom(file, facts, addedAtMilliseconds, isIntended, ownerName) {
  const id = randomName();
  return {
    id,
    sortKey: id,
    name: file.name,
    format: facts.format,
    sizeBytes: file.size,
    width: facts.width,
    height: facts.height,
    orientation: facts.orientation,
    takenAt: facts.takenAt,
    addedAtMilliseconds,
    ownerName,
    isMine: true,
    isAnimated: facts.isAnimated,
    isTooLargeToDecode: facts.isTooLargeToDecode,
    isPrepared: facts.isTooLargeToDecode,
    thumbnail: null,
    original: new Blob([file], { type: facts.type }),
    isIntended,
    share: 'private',
    load: 'here',
    progress: null,
    failure: null,
    sessionId: null,
    attachmentId: null,
    fingerprint: '',
  };
}

/** `crypto.randomUUID` is missing on plain http, where the gallery still works alone. */
function randomName() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
