// Removals wait a few seconds in which whoever asked for them can take them back; the others hear of them only when they are done. A reload forgets none.

import { undoMilliseconds } from './photos/limits.js';

/**
 * @typedef {object} RemovalSurroundings
 * @property {(photoId: string) => Promise<void>} remove for everyone, or here alone
 * @property {(error: unknown, name: string) => void} failed
 * @property {(names: string[]) => void} [keep] names of all that is asked for and not done, so that the page after a reload can do it
 * @property {(run: () => void, milliseconds: number) => unknown} [setTimer]
 * @property {(timer: any) => void} [clearTimer]
 */

export class Removals {
  /** @type {Set<string>} */
  #waiting = new Set();
  /** On their way. @type {Set<string>} */
  #going = new Set();
  /** Names of what was asked for before a reload. @type {Set<string>} */
  #resumed = new Set();
  /** Photos that came back under such a name: one that cannot be removed is tried once. @type {Set<string>} */
  #seenAgain = new Set();
  /** @type {unknown} */
  #timer = null;

  /** @param {import('./model.js').Gallery} gallery @param {RemovalSurroundings} surroundings */
  constructor(gallery, { remove, failed, keep = () => {}, setTimer = (run, milliseconds) => setTimeout(run, milliseconds), clearTimer = (timer) => clearTimeout(timer) }) {
    this.gallery = gallery;
    this.surroundings = { remove, failed, keep, setTimer, clearTimer };
    gallery.addEventListener('photoschange', () => this.#look());
  }

  /** What was asked for before a reload is done as soon as the photos come back. @param {readonly string[]} names as they were kept */
  resume(names) {
    this.#resumed = new Set(names);
    this.#look();
  }

  /** Everything is on the page: what has not come back is gone already. */
  settle() {
    if (this.#resumed.size === 0) return;
    this.#resumed.clear();
    this.keep();
  }

  /** A photo may have got a name with the others only after it was asked for; call it before the page goes. */
  keep() {
    const photos = [...this.#waiting, ...this.#going].flatMap((id) => this.gallery.photo(id) ?? []);
    this.surroundings.keep([...photos.flatMap(({ id, attachmentId }) => [id, attachmentId ?? []].flat()), ...this.#resumed]);
  }

  /** How many can be taken back now. */
  get count() {
    return this.#waiting.size;
  }

  /** They are not shown any more, and go when the time is over; those that wait already wait anew with them. @param {readonly string[]} photoIds */
  ask(photoIds) {
    for (const id of photoIds) {
      const photo = this.gallery.photo(id);
      if (!photo || photo.isLeaving) continue;
      this.#waiting.add(id);
      this.gallery.update(id, { isLeaving: true });
      this.gallery.notify({ kind: 'removing', name: photo.name });
    }
    if (this.#waiting.size > 0) this.goOn();
    this.keep();
  }

  /** Somebody reads the offer: it does not go away under their eyes. */
  hold() {
    this.surroundings.clearTimer(this.#timer);
    this.#timer = null;
  }

  /** The time begins anew. */
  goOn() {
    this.hold();
    if (this.#waiting.size > 0) this.#timer = this.surroundings.setTimer(() => void this.finish(), undoMilliseconds);
  }

  /** Everything that waits stays after all. */
  undo() {
    this.hold();
    for (const id of this.#takeAll()) this.gallery.update(id, { isLeaving: false });
    this.keep();
  }

  /** Everything that waits goes now. Resolves when it is done, or has been told; never rejects. */
  async finish() {
    this.hold();
    await Promise.all(this.#takeAll().map((id) => this.#remove(id)));
  }

  /** @returns {string[]} */
  #takeAll() {
    const ids = [...this.#waiting];
    this.#waiting.clear();
    for (const { id, kind } of this.gallery.notices) if (kind === 'removing') this.gallery.dismiss(id);
    return ids;
  }

  /** @param {string} id */
  async #remove(id) {
    const photo = this.gallery.photo(id);
    if (!photo) return;
    this.#going.add(id);
    try {
      await this.surroundings.remove(id);
    } catch (error) {
      this.gallery.update(id, { isLeaving: false });
      this.surroundings.failed(error, photo.name);
    } finally {
      this.#going.delete(id);
      this.keep();
    }
  }

  #look() {
    if (this.#resumed.size === 0) return;
    for (const { id, attachmentId, sortKey, isLeaving } of this.gallery.photos) {
      const isMeant = [id, attachmentId ?? '', sortKey].some((name) => this.#resumed.has(name));
      if (isLeaving || !isMeant || this.#seenAgain.has(id)) continue;
      this.#seenAgain.add(id);
      this.gallery.update(id, { isLeaving: true });
      // Whoever shows it is not done with it yet.
      queueMicrotask(() => void this.#remove(id));
    }
  }
}
