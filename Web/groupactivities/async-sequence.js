// Async sequences as the public classes hand them out: values to come, each consumer with a queue of its own.

/**
 * Yields every value that is pushed, in order, until it is finished. For one consumer; ending its loop early detaches it.
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
export class ValueSequence {
  /** @type {T[]} */
  #values = [];
  /** @type {((result: IteratorResult<T>) => void)[]} */
  #waiting = [];
  #isFinished = false;
  #onDetach;

  /** @param {(sequence: ValueSequence<T>) => void} [onDetach] called once, when the consumer stops or the values end */
  constructor(onDetach = () => {}) {
    this.#onDetach = onDetach;
  }

  /** @param {T} value */
  push(value) {
    if (this.#isFinished) return;
    const waiting = this.#waiting.shift();
    if (waiting) waiting({ value, done: false });
    else this.#values.push(value);
  }

  /** Leaves out what nobody has taken yet. */
  forget() {
    if (!this.#isFinished) this.#values = [];
  }

  /** Values that wait are still yielded; then the sequence is done. */
  finish() {
    if (this.#isFinished) return;
    this.#isFinished = true;
    for (const waiting of this.#waiting.splice(0)) waiting({ value: undefined, done: true });
    this.#onDetach(this);
  }

  /** @returns {Promise<IteratorResult<T>>} */
  async next() {
    if (this.#values.length > 0) return { value: /** @type {T} */ (this.#values.shift()), done: false };
    if (this.#isFinished) return { value: undefined, done: true };
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** @returns {Promise<IteratorResult<T>>} */
  async return() {
    this.#values = [];
    this.finish();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

/**
 * Yields the newest value; what a slow consumer did not take in time is left out. For values that each tell the whole.
 * @template T
 * @extends {ValueSequence<T>}
 */
export class LatestSequence extends ValueSequence {
  /** @override @param {T} value */
  push(value) {
    this.forget();
    super.push(value);
  }
}
