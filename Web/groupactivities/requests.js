// The puts and removals of one session that the relay has not answered: asked again, in order, on each new connection.

import { areEqual } from './bytes.js';

/** @typedef {import('./frames.js').FrameOf<'put'> | import('./frames.js').FrameOf<'remove'>} RequestFrame */

export class Requests {
  /** @type {{ frame: RequestFrame, token: number | null }[]} */
  #pending = [];

  /**
   * @param {RequestFrame} frame
   * @param {number | null} token whom to tell of the answer
   */
  add(frame, token) {
    this.#pending.push({ frame, token });
  }

  /** In the order in which they were asked. */
  frames() {
    return this.#pending.map(({ frame }) => frame);
  }

  /**
   * Our entry has come back: it and our earlier puts of the same name are answered.
   * @param {string} entry
   * @param {Uint8Array} sealed
   */
  answerPut(entry, sealed) {
    const index = this.#pending.findIndex(({ frame }) => frame.type === 'put' && frame.entry === entry && areEqual(frame.sealed, sealed));
    return index < 0 ? [] : this.#settle(({ frame }, position) => position <= index && frame.type === 'put' && frame.entry === entry);
  }

  /** The entry is gone. @param {string} entry */
  answerRemove(entry) {
    return this.#settle(({ frame }) => frame.type === 'remove' && frame.entry === entry);
  }

  /**
   * @param {string} type
   * @param {string} entry
   */
  refuse(type, entry) {
    const first = this.#pending.find(({ frame }) => frame.type === type && frame.entry === entry);
    return this.#settle((each) => each === first);
  }

  abandon() {
    return this.#settle(() => true);
  }

  /** @param {string} entry */
  isPutting(entry) {
    return this.#pending.some(({ frame }) => frame.type === 'put' && frame.entry === entry);
  }

  /**
   * @param {(request: { frame: RequestFrame, token: number | null }, position: number) => boolean} isAnswered
   * @returns {number[]} the tokens of those who wait
   */
  #settle(isAnswered) {
    const answered = this.#pending.filter(isAnswered);
    this.#pending = this.#pending.filter((request) => !answered.includes(request));
    return answered.flatMap(({ token }) => (token === null ? [] : [token]));
  }
}
