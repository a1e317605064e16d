// How fast frames may go out, so that the relay never takes a busy app for a flood.

import { limits } from './limits.js';

/** A share of what the relay allows, for its clock is not ours. */
const burst = limits.frameBurstLimit * 0.8;
const perMillisecond = limits.framesPerSecondLimit * 0.8 / 1000;

/** A bucket of frames that fills with time. */
export class Pace {
  #allowance = burst;
  #since = 0;

  /**
   * @param {number} now milliseconds
   * @returns {number} 0: one frame may go, and is counted; else milliseconds until one may
   */
  take(now) {
    this.#allowance = Math.min(burst, this.#allowance + Math.max(0, now - this.#since) * perMillisecond);
    this.#since = now;
    if (this.#allowance < 1) return Math.ceil((1 - this.#allowance) / perMillisecond);
    this.#allowance -= 1;
    return 0;
  }
}
