// Keeps one's own photos that the others do not have yet, sealed, on this device: a reload without a connection loses none of them.

import { keyOf, open, pieceCountOf, pieceOf, seal, utf8 } from './sealing.js';

/** @typedef {import('../model.js').Photo} Photo */
/** @typedef {import('./store.js').Store} Store */

/** Whether a reload would lose it: it is ours, meant for the others, and they do not have it. @param {Photo} photo */
function isDue(photo) {
  return photo.isMine && photo.isIntended && !photo.isLeaving && photo.isPrepared && photo.share !== 'shared' && photo.original !== null;
}

export class Outbox {
  /** @type {CryptoKey | null} */
  #key = null;
  /** What is kept, and what was last said of it. @type {Map<string, string>} */
  #kept = new Map();
  /** What the device would not take. @type {Set<string>} */
  #refused = new Set();
  #isWorking = false;
  #isWanted = false;
  /** One change after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @param {import('../model.js').Gallery} gallery
   * @param {Store} store
   */
  constructor(gallery, store) {
    this.gallery = gallery;
    this.store = store;
    gallery.addEventListener('photoschange', () => this.#look());
  }

  /** Whether a reload would bring it back. @param {string} photoId */
  holds(photoId) {
    return this.#kept.has(photoId);
  }

  /**
   * The invitation is known: from now on what waits is kept. What was kept under another one is erased.
   * @param {string} link
   */
  async begin(link) {
    await this.#alone(async () => {
      const key = await keyOf(link);
      const conversation = new URL(link).pathname;
      if ((await this.store.get('about', 'conversation')) !== conversation) {
        await this.store.clear();
        await this.store.put('about', 'conversation', conversation);
        this.#kept.clear();
      }
      this.#key = key;
    });
    this.#look();
  }

  /** Nothing of the conversation is on this device any more. */
  async end() {
    this.#key = null;
    await this.#alone(async () => {
      this.#kept.clear();
      this.#refused.clear();
      await this.store.clear();
    });
  }

  /**
   * Puts what was kept under this invitation back into the gallery, meant for the others as before; what does not open is erased.
   * @param {string} link
   */
  async restore(link) {
    await this.begin(link);
    await this.#alone(async () => {
      for (const photoId of await this.store.keys('photos')) {
        const photo = await this.#read(String(photoId)).catch(() => null);
        if (photo === null) await this.#erase(String(photoId));
        else if (!this.gallery.photo(photo.id)) this.gallery.add(photo);
      }
    });
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #alone(work) {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  #look() {
    this.#isWanted = true;
    if (!this.#isWorking && this.#key !== null) void this.#work();
  }

  async #work() {
    this.#isWorking = true;
    while (this.#isWanted && this.#key !== null) {
      this.#isWanted = false;
      const due = this.gallery.photos.filter(isDue).map((photo) => photo.id);
      await this.#eraseSent();
      for (const photoId of due) {
        // Most are sent before their turn comes; and what is sent must not come back as something new.
        await this.#eraseSent();
        const photo = this.gallery.photo(photoId);
        if (!photo || !isDue(photo) || this.#refused.has(photoId) || this.#kept.get(photoId) === saidOf(photo)) continue;
        await this.#alone(() => this.#keep(photo)).catch(() => this.#refused.add(photoId));
      }
    }
    this.#isWorking = false;
  }

  async #eraseSent() {
    for (const photoId of [...this.#kept.keys()]) {
      const photo = this.gallery.photo(photoId);
      if (!photo || !isDue(photo)) await this.#alone(() => this.#erase(photoId)).catch(() => {});
    }
  }

  /** @param {Photo} photo */
  async #keep(photo) {
    const key = this.#key;
    if (key === null || photo.original === null) return;
    const { original, thumbnail, ...facts } = photo;
    const count = pieceCountOf(original);
    if (!this.#kept.has(photo.id)) {
      for (let number = 0; number < count; number += 1) {
        await this.store.put('pieces', [photo.id, number], await seal(key, `${photo.id} ${number} of ${count}`, await pieceOf(original, number)));
      }
      if (thumbnail) await this.store.put('pieces', [photo.id, -1], await seal(key, `${photo.id} thumbnail`, new Uint8Array(await thumbnail.arrayBuffer())));
    }
    const said = { ...facts, source: null, type: original.type, thumbnailType: thumbnail?.type ?? null, count, progress: null, failure: null };
    // Last: what has no facts is not there.
    await this.store.put('photos', photo.id, await seal(key, photo.id, utf8(JSON.stringify(said))));
    this.#kept.set(photo.id, saidOf(photo));
  }

  /** @param {string} photoId @returns {Promise<Photo>} */
  async #read(photoId) {
    const key = this.#key;
    if (key === null) throw new Error('No invitation is known');
    const facts = JSON.parse(new TextDecoder().decode(await open(key, photoId, await this.store.get('photos', photoId))));
    const { type, thumbnailType, count, ...said } = facts;
    const pieces = [];
    for (let number = 0; number < count; number += 1) {
      // A Blob for each: the browser may keep it elsewhere than in memory.
      pieces.push(new Blob([await open(key, `${photoId} ${number} of ${count}`, await this.store.get('pieces', [photoId, number]))]));
    }
    const thumbnail = thumbnailType === null ? null : new Blob([await open(key, `${photoId} thumbnail`, await this.store.get('pieces', [photoId, -1]))], { type: thumbnailType });
    /** @type {Photo} */
    const photo = { ...said, original: new Blob(pieces, { type }), thumbnail, source: null, share: 'queued', load: 'here' };
    this.#kept.set(photoId, saidOf(photo));
    return photo;
  }

  /** @param {string} photoId */
  async #erase(photoId) {
    this.#kept.delete(photoId);
    await this.store.delete('photos', photoId);
    await this.store.delete('pieces', IDBKeyRange.bound([photoId, -1], [photoId, Number.MAX_SAFE_INTEGER]));
  }
}

/** Where it is announced: to know it again when it had come further than this page learned. @param {Photo} photo */
function saidOf(photo) {
  return `${photo.sessionId} ${photo.attachmentId}`;
}
