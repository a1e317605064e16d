// The own records that are on their way and have no place yet: so many bytes of them and no more, so that a fast sender waits instead of outrunning the others.

import { limits } from './limits.js';

export class RecordWindow {
  #bytes = 0;
  /** @type {{ size: number, enter(): void }[]} */
  #waiting = [];

  /**
   * Who comes first goes first. A record larger than the window goes when it is empty.
   * @param {number} size in bytes
   * @returns {Promise<void>} resolves when the record may go; then `leave` is to be called once it has its place, or will have none
   */
  enter(size) {
    if (this.#waiting.length === 0 && this.#fits(size)) {
      this.#bytes += size;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push({ size, enter: () => resolve(undefined) }));
  }

  /** @param {number} size as it was said to `enter` */
  leave(size) {
    this.#bytes -= size;
    while (this.#waiting.length > 0 && this.#fits(this.#waiting[0].size)) {
      const next = /** @type {{ size: number, enter(): void }} */ (this.#waiting.shift());
      this.#bytes += next.size;
      next.enter();
    }
  }

  /** @param {number} size */
  #fits(size) {
    return this.#bytes === 0 || this.#bytes + size <= limits.recordsInFlightSizeLimitBytes;
  }
}
