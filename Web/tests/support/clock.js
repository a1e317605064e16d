// A clock that stands still until nothing else can happen, and the waiting for conditions that goes with it.

let pending = 0;

/** @param {any} object @param {string} name */
function count(object, name) {
  const original = object[name];
  object[name] = function counted(/** @type {any[]} */ ...parameters) {
    pending += 1;
    const result = original.apply(this, parameters);
    const done = () => { pending -= 1; };
    result.then(done, done);
    return result;
  };
}
// What node does on other threads: without this, nobody could tell "idle" from "still sealing".
for (const name of ['encrypt', 'decrypt', 'sign', 'verify', 'digest', 'importKey', 'exportKey', 'generateKey', 'deriveBits']) count(Object.getPrototypeOf(globalThis.crypto.subtle), name);
count(Blob.prototype, 'arrayBuffer');

/** Nothing is under way any more that does not wait for the clock. */
export async function settle() {
  for (let quiet = 0; quiet < 6; quiet = pending === 0 ? quiet + 1 : 0) await new Promise((resolve) => setImmediate(resolve));
}

export class VirtualClock {
  time = 1_000;
  /** @type {Map<number, { at: number, callback: () => void }>} */
  #timers = new Map();
  #lastTimer = 0;

  now = () => this.time;

  /** @param {() => void} callback @param {number} milliseconds */
  setTimeout = (callback, milliseconds) => {
    this.#lastTimer += 1;
    this.#timers.set(this.#lastTimer, { at: this.time + Math.max(0, milliseconds), callback });
    return this.#lastTimer;
  };

  /** @param {number} timer */
  clearTimeout = (timer) => {
    this.#timers.delete(timer);
  };

  /** Fires the next timer. @param {number} until the time not to pass @returns {boolean} */
  step(until) {
    let next = null;
    for (const [id, { at }] of this.#timers) if (at <= until && (next === null || at < next.at)) next = { id, at };
    if (next === null) return false;
    const { callback } = /** @type {{ callback: () => void }} */ (this.#timers.get(next.id));
    this.#timers.delete(next.id);
    this.time = Math.max(this.time, next.at);
    callback();
    return true;
  }

  /** Lets time pass, with everything that happens in it. @param {number} milliseconds */
  async pass(milliseconds) {
    const until = this.time + milliseconds;
    do await settle(); while (this.step(until));
    this.time = until;
  }

  /** @param {() => unknown} condition @param {string} [what] */
  async until(condition, what = String(condition)) {
    const limit = this.time + 600_000;
    for (;;) {
      await settle();
      if (condition()) return;
      if (!this.step(limit)) throw new Error(`Never: ${what}`);
    }
  }

  /** @template T @param {Promise<T>} promise @returns {Promise<T>} */
  async wait(promise) {
    let isSettled = false;
    const done = () => { isSettled = true; };
    promise.then(done, done);
    await this.until(() => isSettled, 'a promise settles');
    return promise;
  }
}
