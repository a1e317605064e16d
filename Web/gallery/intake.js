// Takes files that somebody chose, dropped or pasted, judges each on its own, and makes photos of those that are pictures.

import { Queue } from './queue.js';
import { formats } from './photos/formats.js';
import { contentDigest } from './photos/digest.js';
import { inspectPhoto } from './photos/inspect.js';
import { digestConcurrency, preparationConcurrency } from './photos/limits.js';
import { embeddedPreviews } from './photos/previews.js';
import { stripMetadata } from './photos/strip/strip-metadata.js';

/** @typedef {import('./model.js').Photo} Photo */
/** @typedef {import('./photos/inspect.js').PhotoFacts} PhotoFacts */
/** @typedef {{ cleaned: number, thinned: number, kept: number }} IntakeReport how many photos of one choice lost metadata, how many of these a second picture or a film too, how many keep theirs by choice */

const inspectionConcurrency = 8;

export class PhotoIntake {
  #inspections = new Queue(inspectionConcurrency);
  #digests = new Queue(digestConcurrency);
  #preparations = new Queue(preparationConcurrency);
  #lastAddedAt = 0;
  /** Digests of files that are being taken in and are no photos yet. @type {Set<string>} */
  #taking = new Set();
  /** Files that wait for a word from whoever added them, by what is the matter. @type {{ 'not-added-twice': File[], 'not-cleaned': File[] }} */
  #held = { 'not-added-twice': [], 'not-cleaned': [] };

  /**
   * @param {import('./model.js').Gallery} gallery
   * @param {object} surroundings
   * @param {(blob: Blob, order: import('./photos/thumbnail-drawing.js').DrawingOrder) => Promise<Blob>} surroundings.makeThumbnail
   * @param {() => () => boolean} surroundings.intention whether what is chosen now is meant for the others, to be asked when it is here
   * @param {(id: string) => void} surroundings.onPrepared
   * @param {() => boolean} [surroundings.keepsMetadata] whether place and device stay in the files
   * @param {(report: IntakeReport) => void} [surroundings.onTaken] after each choice of files
   * @param {() => number} [surroundings.now] milliseconds
   */
  constructor(gallery, { makeThumbnail, intention, onPrepared, keepsMetadata = () => false, onTaken = () => {}, now = Date.now }) {
    this.gallery = gallery;
    this.makeThumbnail = makeThumbnail;
    this.intention = intention;
    this.onPrepared = onPrepared;
    this.keepsMetadata = keepsMetadata;
    this.onTaken = onTaken;
    this.now = now;
  }

  /**
   * Resolves when every file is a photo with a thumbnail or has been refused with a notice; never rejects.
   * A picture that is here already, and one that could not be rid of its metadata, waits for `addHeld`.
   * @param {Iterable<File>} files
   * @param {{ isTwiceWanted?: boolean, isMetadataWanted?: boolean }} [wishes]
   */
  async add(files, { isTwiceWanted = false, isMetadataWanted = this.keepsMetadata() } = {}) {
    /** @type {IntakeReport} */
    const report = { cleaned: 0, thinned: 0, kept: 0 };
    await Promise.all([...files].map((file) => this.#addOne(file, this.#nextTime(), { isTwiceWanted, isMetadataWanted, report })));
    this.onTaken(report);
  }

  /**
   * Whoever added them wants them in spite of what they were told.
   * @param {'not-added-twice' | 'not-cleaned'} kind
   */
  async addHeld(kind) {
    await this.add(this.#held[kind].splice(0), kind === 'not-cleaned' ? { isMetadataWanted: true } : { isTwiceWanted: true });
  }

  /** They are not wanted. @param {'not-added-twice' | 'not-cleaned'} kind */
  dropHeld(kind) {
    this.#held[kind].length = 0;
  }

  /** Files chosen together keep their order. */
  #nextTime() {
    this.#lastAddedAt = Math.max(this.#lastAddedAt + 1, this.now());
    return this.#lastAddedAt;
  }

  /** @param {File} file @param {number} addedAtMilliseconds @param {{ isTwiceWanted: boolean, isMetadataWanted: boolean, report: IntakeReport }} wishes */
  async #addOne(file, addedAtMilliseconds, { isTwiceWanted, isMetadataWanted, report }) {
    const isMeant = this.intention();
    const { facts, refusal } = await this.#inspections.run(() => inspectPhoto(file));
    if (refusal !== undefined) {
      this.gallery.notify({ kind: 'refused', name: file.name, ...refusal });
      return;
    }
    const stripped = await this.#inspections.run(() => stripMetadata(file));
    if (stripped.kept.length > 0 && !isMetadataWanted) {
      this.#hold('not-cleaned', file);
      return;
    }
    const digest = await this.#digests.run(() => contentDigest(stripped.blob));
    if (!isTwiceWanted && digest !== '' && (this.#taking.has(digest) || this.gallery.photos.some((photo) => photo.digest === digest && !photo.isLeaving))) {
      this.#hold('not-added-twice', file);
      return;
    }
    this.#taking.add(digest);
    const isCleaned = !isMetadataWanted && stripped.blob !== file;
    const photo = {
      ...photoFrom(file, isCleaned ? stripped.blob : file, facts, addedAtMilliseconds),
      isIntended: isMeant(), ownerName: this.gallery.sharing.name, source: isCleaned ? file : null, digest,
    };
    this.gallery.add(photo);
    this.#taking.delete(digest);
    if (!photo.isPrepared) await this.#preparations.run(() => this.#prepare(photo, facts));
    this.onPrepared(photo.id);
    // It could not be read after all, and has gone again.
    if (!this.gallery.photo(photo.id)) return;
    if (isCleaned) report.cleaned += 1;
    else if (isMetadataWanted && (stripped.blob !== file || stripped.kept.length > 0)) report.kept += 1;
    if (isCleaned && (stripped.removed.includes('pictures') || stripped.removed.includes('trailer'))) report.thinned += 1;
  }

  /** A small picture is better than none. @param {Blob} file as the camera wrote it @param {import('./photos/formats.js').PhotoFormat} format @returns {Promise<Blob | null>} */
  async #preview(file, format) {
    for (const preview of await embeddedPreviews(file, format).catch(() => [])) {
      const thumbnail = await this.makeThumbnail(preview, { format: 'jpeg', orientation: 1 }).catch(() => null);
      if (thumbnail) return thumbnail;
    }
    return null;
  }

  /** @param {'not-added-twice' | 'not-cleaned'} kind @param {File} file */
  #hold(kind, file) {
    this.#held[kind].push(file);
    this.gallery.notify({ kind, name: file.name });
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
        const thumbnail = await this.#preview(photo.source ?? blob, facts.format);
        this.gallery.update(photo.id, { thumbnail, isPrepared: true });
      }
    }
  }
}

/**
 * @param {File} file @param {Blob} content what is shared of it @param {PhotoFacts} facts @param {number} addedAtMilliseconds
 * @returns {Photo}
 */
function photoFrom(file, content, facts, addedAtMilliseconds) {
  const id = randomName();
  return {
    id,
    sortKey: id,
    name: file.name,
    format: facts.format,
    sizeBytes: content.size,
    width: facts.width,
    height: facts.height,
    orientation: facts.orientation,
    takenAt: facts.takenAt,
    addedAtMilliseconds,
    ownerName: '',
    isMine: true,
    isAnimated: facts.isAnimated,
    isTooLargeToDecode: facts.isTooLargeToDecode,
    isPrepared: facts.isTooLargeToDecode,
    thumbnail: null,
    original: new Blob([content], { type: facts.type }),
    source: null,
    digest: '',
    caption: '',
    reactions: [],
    isLeaving: false,
    isIntended: false,
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
