// Tells, once, why photos do not move although the connection stands: a full disk, or something that answers in the server's place.

import { stateOf } from './states.js';

/** Why a photo waits, where a person can do something about it. @type {ReadonlySet<string>} */
const tellingCodes = new Set(['storage-failed', 'not-from-relay']);

/** @param {import('./model.js').Photo} photo @returns {string | null} the code to tell of a photo that is interrupted */
export function stallOf(photo) {
  const code = photo.progress?.error?.code;
  return code !== undefined && tellingCodes.has(code) && stateOf(photo) === 'interrupted' ? code : null;
}

export class Stalls {
  /** Codes that have been told and still hold something up. @type {Set<string>} */
  #told = new Set();

  /** @param {import('./model.js').Gallery} gallery */
  constructor(gallery) {
    this.gallery = gallery;
  }

  /** To be called after each change of the photos. */
  look() {
    /** @type {Map<string, string>} */
    const stalled = new Map();
    for (const photo of this.gallery.photos) {
      const code = stallOf(photo);
      if (code !== null && !stalled.has(code)) stalled.set(code, photo.name);
    }
    // While anything is still on its way with an attempt under way, the cause may come again: it is told anew only after all of it has moved.
    const isMoving = this.gallery.photos.some((photo) => photo.progress !== null);
    if (!isMoving) this.#told.clear();
    for (const [code, name] of stalled) {
      if (this.#told.has(code)) continue;
      this.#told.add(code);
      this.gallery.notify({ kind: 'stalled', name, code });
    }
  }
}
