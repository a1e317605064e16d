// How fast frames may go out, so that the relay never takes a busy app for a flood.

import { limits } from './limits.js';

/** A share of what the relay allows, for its clock is not ours. */
const share = 0.8;

/** Two buckets, of frames and of bytes, that fill with time. */
export class Pace {
  #frames = new Bucket(limits.frameBurstLimit * share, limits.framesPerSecondLimit * share);
  #bytes = new Bucket(limits.byteBurstLimit * share, limits.bytesPerSecondLimit * share);

  /**
   * @param {number} now milliseconds
   * @param {number} size of the frame, in bytes
   * @returns {number} 0: the frame may go, and is counted; else milliseconds until it may
   */
  take(now, size) {
    const pause = Math.max(this.#frames.pause(now, 1), this.#bytes.pause(now, size));
    if (pause > 0) return pause;
    this.#frames.spend(1);
    this.#bytes.spend(size);
    return 0;
  }
}

class Bucket {
  #burst;
  #perMillisecond;
  #level;
  #since = 0;

  /**
   * @param {number} burst
   * @param {number} perSecond
   */
  constructor(burst, perSecond) {
    this.#burst = burst;
    this.#perMillisecond = perSecond / 1000;
    this.#level = burst;
  }

  /**
   * @param {number} now milliseconds
   * @param {number} amount
   * @returns {number} milliseconds until so much is there
   */
  pause(now, amount) {
    this.#level = Math.min(this.#burst, this.#level + Math.max(0, now - this.#since) * this.#perMillisecond);
    this.#since = now;
    return this.#level >= amount ? 0 : Math.ceil((amount - this.#level) / this.#perMillisecond);
  }

  /** @param {number} amount */
  spend(amount) {
    this.#level -= amount;
  }
}
