// The own records of one session that a restarted relay would have forgotten: kept, as the same bytes, until everybody has them.

/**
 * @typedef {object} UnstableRecord
 * @property {number} counter
 * @property {string[]} recipients
 * @property {Uint8Array} sealed
 * @property {number | null} token whom to tell that it has its place; null once told
 * @property {number | null} sequence its place in this incarnation, null while it has none
 */

export class UnstableRecords {
  /** In order of counter. @type {UnstableRecord[]} */
  #records = [];

  /** @param {Omit<UnstableRecord, 'sequence'>} record its counter follows that of the one before */
  add(record) {
    this.#records.push({ ...record, sequence: null });
  }

  /**
   * Our own record has come back.
   * @param {number} counter
   * @param {number} sequence
   * @returns {number | null} the token of whoever waits for it
   */
  place(counter, sequence) {
    const record = this.#records.find((each) => each.counter === counter);
    if (!record) return null;
    record.sequence ??= sequence;
    const { token } = record;
    record.token = null;
    return token;
  }

  /** Everybody has everything up to `sequence`. @param {number} sequence */
  stable(sequence) {
    while (this.#records.length > 0 && this.#records[0].sequence !== null && this.#records[0].sequence <= sequence) this.#records.shift();
  }

  /** Another incarnation: no record has a place. */
  displace() {
    for (const record of this.#records) record.sequence = null;
  }

  /** What has to be sent (again), in order of counter. */
  unplaced() {
    return this.#records.filter(({ sequence }) => sequence === null);
  }

  get count() {
    return this.#records.length;
  }

  /**
   * The relay does not take this record.
   * @param {number} counter
   * @returns {number | null}
   */
  refuse(counter) {
    const index = this.#records.findIndex((each) => each.counter === counter);
    return index < 0 ? null : this.#records.splice(index, 1)[0].token;
  }

  /**
   * The relay does not take this record now; it is still owed.
   * @param {number} counter
   * @returns {number | null}
   */
  detach(counter) {
    const record = this.#records.find((each) => each.counter === counter);
    const token = record?.token ?? null;
    if (record) record.token = null;
    return token;
  }

  /** Nobody waits any longer. @returns {number[]} the tokens of those who did */
  abandon() {
    const tokens = [];
    for (const record of this.#records) {
      if (record.token !== null) tokens.push(record.token);
      record.token = null;
    }
    return tokens;
  }
}
