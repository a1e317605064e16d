// Decides how fast people come: a link that was passed on shows first in how many use it.

const lookBackMilliseconds = 600_000;
/** So many within a minute are told once, and again when as many more have come. */
const unusualCount = 6;
const unusualMilliseconds = 60_000;

/** A value: `came` makes a new one. */
export class Joins {
  /** @type {readonly number[]} */
  #times;
  #toldAt;

  /** @param {readonly number[]} [times] @param {number} [toldAt] */
  constructor(times = [], toldAt = -Infinity) {
    this.#times = times;
    this.#toldAt = toldAt;
  }

  /** @param {number} count @param {number} now milliseconds */
  came(count, now) {
    const times = [...this.#times.filter((time) => now - time < lookBackMilliseconds), ...Array.from({ length: count }, () => now)];
    return new Joins(times, this.#toldAt);
  }

  /** How many came within the last ten minutes. @param {number} now */
  latelyCount(now) {
    return this.#times.filter((time) => now - time < lookBackMilliseconds).length;
  }

  /**
   * @param {number} now
   * @returns {{ joins: Joins, count: number } | null} how many came within a minute, when it is so many that people should hear of it
   */
  unusual(now) {
    const since = Math.max(this.#toldAt, now - unusualMilliseconds);
    const count = this.#times.filter((time) => time > since).length;
    return count >= unusualCount ? { joins: new Joins(this.#times, now), count } : null;
  }
}
