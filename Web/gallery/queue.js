// Does many things a few at a time.

export class Queue {
  #running = 0;
  /** @type {(() => Promise<void>)[]} */
  #waiting = [];

  /** @param {number} concurrency */
  constructor(concurrency) {
    this.concurrency = concurrency;
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>} what `work` comes to, once its turn has come
   */
  run(work) {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => work().then(resolve, reject));
      this.#next();
    });
  }

  #next() {
    while (this.#running < this.concurrency) {
      const work = this.#waiting.shift();
      if (!work) return;
      this.#running += 1;
      work().finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }
}
