// Who has seen another log of a session than we have: what is judged of single records, weighed over time. A value.

/** @typedef {import('./log-stretch.js').Verdict} Verdict */

/** A record that was sealed before we, or its sender, came in may be on its way for so long. */
const patienceMilliseconds = 600_000;
const longestWindowMilliseconds = 86_400_000;

export class Divergences {
  /** Identifiers, in the order in which it was found out. @type {string[]} */
  participants = [];
  #patience = patienceMilliseconds;
  #since = 0;
  /** @type {Map<string, number>} */
  #cameAt = new Map();

  /**
   * There is a place in the session.
   * @param {number} windowSeconds for so long whoever lost the connection may come back, with records from before
   * @param {number} now
   */
  begin(windowSeconds, now) {
    this.#patience = patienceMilliseconds + Math.min(windowSeconds * 1_000, longestWindowMilliseconds);
    this.#since = now;
    this.#cameAt.clear();
  }

  /** @param {string} id @param {number} now */
  came(id, now) {
    this.#cameAt.set(id, now);
  }

  /** @param {string} id */
  went(id) {
    this.#cameAt.delete(id);
  }

  /**
   * @param {Verdict} verdict
   * @param {string} id whose record it is about
   * @param {number} now
   * @returns {boolean} whether this is news
   */
  weigh(verdict, id, now) {
    if (verdict === 'same' || verdict === 'unknown') return false;
    // A relay that tells everybody another incarnation, or other places, would otherwise never be found out.
    if (verdict === 'elsewhere' && now - (this.#cameAt.get(id) ?? this.#since) <= this.#patience) return false;
    if (this.participants.includes(id)) return false;
    this.participants = [...this.participants, id];
    return true;
  }
}
