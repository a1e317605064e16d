// How long everybody needs to be back after the relay was, and to see who is away and gone: what took longer than it may is kept, with names.

/** @typedef {import('./crowd.mjs').Crowd} Crowd */
/** @typedef {import('./witness.mjs').Witness} Witness */

export class Returns {
  /** The slowest of each restart, in milliseconds. @type {number[]} */
  slowest = [];
  /** What took longer than it may. @type {string[]} */
  late = [];
  #limitMilliseconds;

  /** @param {number} limitMilliseconds */
  constructor(limitMilliseconds) {
    this.#limitMilliseconds = limitMilliseconds;
  }

  /** @param {string} what @param {number} milliseconds */
  note(what, milliseconds) {
    if (milliseconds > this.#limitMilliseconds) this.late.push(`${what}: ${Math.round(milliseconds)} ms`);
  }

  /**
   * Waits, from the relay's return on, until each of the survivors is connected and in the session, and then until all have heard whatever had been said by the relay's return.
   * @param {Crowd} crowd
   * @param {Witness[]} survivors
   * @param {string} when
   */
  async recover(crowd, survivors, when) {
    const started = performance.now();
    const said = new Map(survivors.map((sender) => [sender, sender.said]));
    const missing = new Set(survivors);
    const notice = () => {
      for (const person of missing) {
        if (!person.isGone && !(person.isConnected && person.isIn)) continue;
        missing.delete(person);
        // Who died meanwhile owes no return.
        if (!person.isGone) this.note(`${when}, ${person.name} is back`, performance.now() - started);
      }
      return missing.size === 0;
    };
    await crowd.until('everybody is back', notice);
    const living = () => survivors.filter((person) => !person.isGone);
    await crowd.until('everybody has heard what was said meanwhile', () => living().every((person) => living().every((sender) => person.hasHeardFirst(sender, said.get(sender) ?? 0))));
    this.slowest.push(performance.now() - started);
    this.note(`${when}, everybody has heard what was said meanwhile`, performance.now() - started);
  }

  get median() {
    return Math.round([...this.slowest].sort((left, right) => left - right)[Math.floor(this.slowest.length / 2)] ?? 0);
  }

  get worst() {
    return Math.round(Math.max(0, ...this.slowest));
  }
}
