// Removals wait a few seconds in which whoever asked for them can take them back; the others hear of them only when they are done.

import { undoMilliseconds } from './photos/limits.js';

/**
 * @typedef {object} RemovalSurroundings
 * @property {(photoId: string) => Promise<void>} remove for everyone, or here alone
 * @property {(error: unknown, name: string) => void} failed
 * @property {(run: () => void, milliseconds: number) => unknown} [setTimer]
 * @property {(timer: any) => void} [clearTimer]
 */

export class Removals {
  /** @type {Set<string>} */
  #waiting = new Set();
  /** @type {unknown} */
  #timer = null;

  /** @param {import('./model.js').Gallery} gallery @param {RemovalSurroundings} surroundings */
  constructor(gallery, { remove, failed, setTimer = (run, milliseconds) => setTimeout(run, milliseconds), clearTimer = (timer) => clearTimeout(timer) }) {
    this.gallery = gallery;
    this.surroundings = { remove, failed, setTimer, clearTimer };
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
    try {
      await this.surroundings.remove(id);
    } catch (error) {
      this.gallery.update(id, { isLeaving: false });
      this.surroundings.failed(error, photo.name);
    }
  }
}
