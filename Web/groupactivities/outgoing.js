// Frames on their way to one connection: those of one turn go out together, and never faster than the relay allows.

import { concat } from './bytes.js';
import { encodeFrame } from './frames.js';
import { limits } from './limits.js';

/** @typedef {import('./frames.js').Frame} Frame */

export class Outgoing {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  #frames = [];
  /** @type {ReturnType<typeof setTimeout> | null} */
  #timer = null;
  #isScheduled = false;
  #environment;
  #pace;
  #write;

  /**
   * @param {import('./environment.js').Environment} environment
   * @param {import('./pace.js').Pace} pace
   * @param {(bytes: Uint8Array<ArrayBuffer>) => void} write
   */
  constructor(environment, pace, write) {
    this.#environment = environment;
    this.#pace = pace;
    this.#write = write;
  }

  /** Frames wait because of the pace. */
  get isHeldBack() {
    return this.#timer !== null;
  }

  /** @param {Frame} frame */
  push(frame) {
    this.#frames.push(encodeFrame(frame));
    if (this.#isScheduled || this.#timer !== null) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }

  /** Writes what may be written now. */
  flush() {
    if (this.#timer !== null) return;
    /** @type {Uint8Array<ArrayBuffer>[]} */
    let batch = [];
    let batchBytes = 0;
    let sent = 0;
    for (const bytes of this.#frames) {
      const pause = this.#pace.take(this.#environment.now(), bytes.length);
      if (pause > 0) {
        this.#timer = this.#environment.setTimeout(() => {
          this.#timer = null;
          this.flush();
        }, pause);
        break;
      }
      if (batchBytes + bytes.length > limits.batchSizeLimitBytes && batch.length > 0) {
        this.#write(concat(...batch));
        batch = [];
        batchBytes = 0;
      }
      batch.push(bytes);
      batchBytes += bytes.length;
      sent += 1;
    }
    if (batch.length > 0) this.#write(concat(...batch));
    this.#frames.splice(0, sent);
  }

  /** The connection is gone; whoever needs a frame sends it again. */
  clear() {
    this.#frames = [];
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
  }
}
