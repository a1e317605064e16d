// Which samples of one sender have been seen: they may be lost or overtake one another, but none counts twice.

const sizeCounters = 256;

/** A sliding window over the last 256 counters. Ask only after the sample has opened, or a forged counter would move it. */
export class ReplayWindow {
  #highest = -1;
  #seen = new Uint8Array(sizeCounters);

  /**
   * @param {number} counter
   * @returns {boolean} true the first time, unless it has fallen out of the window
   */
  accept(counter) {
    if (counter <= this.#highest - sizeCounters) return false;
    if (counter > this.#highest) {
      if (counter - this.#highest >= sizeCounters) this.#seen.fill(0);
      else for (let skipped = this.#highest + 1; skipped < counter; skipped += 1) this.#seen[skipped % sizeCounters] = 0;
      this.#highest = counter;
    } else if (this.#seen[counter % sizeCounters] === 1) {
      return false;
    }
    this.#seen[counter % sizeCounters] = 1;
    return true;
  }
}
