// The log of one session as a participant has seen it, to be compared with what the others say they saw. A value.

import { bytesOfId } from './identifiers.js';
import { limits } from './limits.js';

/** @typedef {import('./log-stretch.js').Link} Link */
/** @typedef {import('./log-stretch.js').LogStretch} LogStretch */
/** @typedef {import('./log-stretch.js').OpenStretch} OpenStretch */
/** @typedef {import('./log-stretch.js').Verdict} Verdict */

const pauseMilliseconds = 10_000;
const spreadMilliseconds = 5_000;
/** So many uncovered places do not wait for the pause. */
const hurryLinkCount = 512;
const hurrySpreadMilliseconds = 2_000;

export class LogChain {
  /** When something is due to be said of places that nobody has spoken of, in milliseconds. */
  positionAt = Infinity;
  /** 0: there is no place in the session. */
  #incarnation = 0n;
  #last = 0;
  /** Where what is known begins. */
  #base = 0;
  /** Behind it stand the links that are kept. */
  #first = 0;
  /** @type {Link[]} */
  #links = [];
  /** Up to here we have told everyone. */
  #covered = 0;
  /** Up to here somebody else has told everyone the same as was seen here. */
  #vouched = 0;
  #lastCause = 0;
  /** Where stretches began that were not the same: each is answered from there on, so that whoever said it can judge the answer. @type {Set<number>} */
  #contradicted = new Set();
  /** From 0 to 1: people who are together do not all speak at once. */
  #share;

  /** @param {string} localId */
  constructor(localId) {
    this.#share = bytesOfId(localId)[15] / 256;
  }

  /** Nothing is known before this place, in this incarnation. @param {bigint} incarnation @param {number} place */
  begin(incarnation, place) {
    this.end();
    this.#incarnation = incarnation;
    this.#base = this.#first = this.#last = this.#covered = this.#vouched = place;
  }

  /** There is no place in the session any more. */
  end() {
    this.#incarnation = 0n;
    this.#links = [];
    this.#base = this.#first = this.#last = this.#covered = this.#vouched = this.#lastCause = 0;
    this.#contradicted = new Set();
    this.positionAt = Infinity;
  }

  /**
   * The next place.
   * @param {Link} link
   * @param {boolean} isCause it should be spoken of
   * @param {number} now
   */
  add(link, isCause, now) {
    if (this.#incarnation === 0n) return;
    this.#last += 1;
    this.#links.push(link);
    if (this.#links.length >= 2 * limits.rememberedLinkCountLimit) this.#first += this.#links.splice(0, this.#links.length - limits.rememberedLinkCountLimit).length;
    if (!isCause) return;
    this.#lastCause = this.#last;
    const isUrgent = this.#last - this.#spokenOf >= hurryLinkCount;
    this.positionAt = Math.min(this.positionAt, isUrgent ? now + hurrySpreadMilliseconds * this.#share : this.#afterPause(now));
  }

  get #spokenOf() {
    return Math.max(this.#covered, this.#vouched);
  }

  /** What lies before it is more than one record may speak of. */
  get #reach() {
    return this.#last - limits.stretchLinkCountLimit;
  }

  /** @param {number} now */
  #afterPause(now) {
    return now + pauseMilliseconds + spreadMilliseconds * this.#share;
  }

  /** Whoever hears of it begins here: what was before need not be spoken of. */
  beginAnew() {
    this.#covered = this.#vouched = this.#last;
    this.positionAt = Infinity;
  }

  /** Somebody has seen another log: they are to hear of ours. @param {Pick<LogStretch, 'incarnation' | 'from'>} stretch @param {number} now */
  contradict({ incarnation, from }, now) {
    if (this.#incarnation === 0n) return;
    if (incarnation === this.#incarnation && from >= this.#base) this.#contradicted.add(from);
    this.#lastCause = this.#last;
    this.positionAt = Math.min(this.positionAt, this.#afterPause(now));
  }

  /** It is due now; should nothing be said, it is due again later. @param {number} now */
  postpone(now) {
    this.positionAt = this.#afterPause(now);
  }

  /**
   * What a record that is sealed now says; with `isForAll` that counts as told.
   * @param {boolean} isForAll
   * @returns {OpenStretch | null} null: there is no place in the session
   */
  speak(isForAll) {
    if (this.#incarnation === 0n) return null;
    // What is vouched for need not be said again: whoever did not hear it misses the voucher's record, which is told of now.
    const contradicted = this.#answerable;
    const from = contradicted ?? Math.max(this.#spokenOf, this.#reach);
    const stretch = this.#stretch(from, this.#last);
    if (isForAll) {
      if (contradicted === undefined || from <= this.#spokenOf) this.#covered = this.#last;
      this.#answered(from);
      if (this.#lastCause <= this.#covered && this.#answerable === undefined) this.positionAt = Infinity;
    }
    return stretch;
  }

  /** @param {number} from @param {number} to @returns {OpenStretch} */
  #stretch(from, to) {
    return { incarnation: this.#incarnation, from, to, links: this.#links.slice(from - this.#first, to - this.#first) };
  }

  /**
   * What was seen here of a stretch that stands in the record that has the next place, or the verdict that needs no comparing.
   * @param {Omit<LogStretch, 'digest'>} stretch
   * @returns {OpenStretch | Exclude<Verdict, 'same'>}
   */
  compare({ incarnation, from, to }) {
    if (this.#incarnation === 0n || incarnation !== this.#incarnation) return 'elsewhere';
    if (from > to || to > this.#last || to - from > limits.stretchLinkCountLimit) return 'different';
    if (to < this.#base) return 'elsewhere';
    if (from < this.#base || this.#last - from > limits.rememberedLinkCountLimit) return 'unknown';
    return this.#stretch(from, to);
  }

  /** What begins behind all that has been seen here has to wait. */
  get #answerable() {
    return [...this.#contradicted].find((place) => place >= this.#reach && place < this.#last);
  }

  /** @param {number} from */
  #answered(from) {
    this.#contradicted.delete(from);
    for (const place of this.#contradicted) if (place < this.#reach) this.#contradicted.delete(place);
  }

  /**
   * Somebody has told everyone the same. What lies before it and was not compared here is still to be spoken of.
   * @param {Pick<LogStretch, 'from' | 'to'>} stretch
   * @param {number} now
   */
  vouch({ from, to }, now) {
    this.#answered(from);
    if (from > Math.max(this.#spokenOf, this.#reach)) return;
    this.#vouched = Math.max(this.#vouched, to);
    if (this.positionAt !== Infinity) this.positionAt = this.#lastCause <= this.#vouched && this.#answerable === undefined ? Infinity : this.#afterPause(now);
  }
}
