// What this tab keeps on the device until it leaves: one's own photos that wait, and parts that have come. Without storage it keeps nothing, and nothing else is worse.

import { Outbox } from './outbox.js';
import { KeptParts } from './parts.js';
import { Store } from './store.js';
import { namesOfGoneTabs, takeTabName } from './tab.js';

/** A closed tab may be opened again by the browser; after a day it is not expected any more. */
const goneTabLimitMilliseconds = 86_400_000;

export class Kept {
  parts = new KeptParts((input, init) => globalThis.fetch(input, init));
  /** @type {Outbox | null} */
  #outbox = null;
  /** @type {Store | null} */
  #store = null;
  /** One after the other: leaving and joining again may follow at once. @type {Promise<void>} */
  #turn;
  #listedCount = 0;

  /** @param {import('../model.js').Gallery} gallery */
  constructor(gallery) {
    this.gallery = gallery;
    this.#turn = this.#open();
  }

  /** Whether a reload brings it back. @param {string} photoId */
  holds(photoId) {
    return this.#outbox?.holds(photoId) ?? false;
  }

  /** In a conversation now. @param {string} link */
  begin(link) {
    return this.#next(async () => {
      await this.#outbox?.begin(link);
      this.parts.use(this.#store);
    });
  }

  /** After a reload: what waited is in the gallery again, before anything is asked of the relay. @param {string} link */
  restore(link) {
    return this.#next(async () => {
      await this.#outbox?.restore(link);
      this.parts.use(this.#store);
    });
  }

  /** Left, or over. */
  end() {
    this.parts.use(null);
    return this.#next(async () => this.#outbox?.end());
  }

  /** The list of photos is whole: parts of those that are gone go too. */
  isInSync() {
    const { length } = this.gallery.photos;
    if (length === this.#listedCount) return;
    this.#listedCount = length;
    void this.parts.keepOnly(new Set(this.gallery.photos.flatMap(({ attachmentId }) => attachmentId ?? []))).catch(() => {});
  }

  async #open() {
    const name = await takeTabName();
    if (name === null) return;
    try {
      this.#store = await Store.open(name);
      await this.#store.put('about', 'openedAt', Date.now());
      this.#outbox = new Outbox(this.gallery, this.#store);
    } catch {
      this.#store = null;
    }
    void eraseGoneTabs().catch(() => {});
  }

  /** @param {() => Promise<unknown>} work @returns {Promise<void>} never rejects */
  #next(work) {
    this.#turn = this.#turn.then(work).then(() => {}, () => {});
    return this.#turn;
  }
}

async function eraseGoneTabs() {
  for (const name of await namesOfGoneTabs()) {
    const store = await Store.open(name);
    const openedAt = await store.get('about', 'openedAt');
    store.close();
    if (typeof openedAt !== 'number' || Date.now() - openedAt > goneTabLimitMilliseconds) await Store.delete(name);
  }
}
