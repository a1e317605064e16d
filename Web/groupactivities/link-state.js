// When to connect, when to wait and when to give a connection up: a value that knows only times it is told.

import { pauseMilliseconds } from './backoff.js';

/** Nothing heard for so long: the connection is dead (docs/protocol/README.md, "Heartbeats"). */
export const silenceLimitMilliseconds = 25_000;
const answerLimitMilliseconds = 5_000;
const openingLimitMilliseconds = 10_000;
const leavingLimitMilliseconds = 2_000;
/** A connection that lasted less does not make the pauses as short as the first one. */
const stableAfterMilliseconds = 5_000;
/** No more failures than this are held against whoever was let in: a relay that comes and goes is found again within 2 s. */
const failuresBeforeWelcomeLimit = 1;
/** A timer that fires so late was held back, with everything else on the page: what has arrived meanwhile has not been seen yet. */
const heldBackMilliseconds = 2_000;

/** @typedef {'idle' | 'waiting' | 'opening' | 'greeting' | 'knocking' | 'up' | 'leaving' | 'closed'} LinkPhase */
/** `open` a connection; `drop` the one there is; `check`: ping, and whatever is heard counts. @typedef {'open' | 'drop' | 'check' | 'left'} LinkAct */

export class LinkState {
  /** @type {LinkPhase} */
  phase = 'idle';
  /** Attempts in a row that came to nothing. */
  failures = 0;
  #deadline = Infinity;
  #upSince = 0;
  #lastHeard = 0;
  #answerDeadline = Infinity;

  get isUp() {
    return this.phase === 'up';
  }

  /** The relay has, or will have, a place for us that is ours to give up. */
  get hasGreeted() {
    return this.phase === 'greeting' || this.phase === 'up';
  }

  /** When `tick` has to be called next, in milliseconds; Infinity: not before something happens. */
  get wakeAt() {
    if (this.phase === 'up' || this.phase === 'knocking') return Math.min(this.#lastHeard + silenceLimitMilliseconds, this.#answerDeadline);
    return this.#deadline;
  }

  /** @param {number} now @returns {LinkAct[]} */
  open(now) {
    this.phase = 'opening';
    this.#deadline = now + openingLimitMilliseconds;
    return ['open'];
  }

  /** The socket is open; the relay has not answered `hello`. @param {number} now */
  greet(now) {
    this.phase = 'greeting';
    this.#deadline = now + openingLimitMilliseconds;
  }

  /** The relay has answered, and a member has to let us in. @param {number} now */
  knock(now) {
    this.welcome(now);
    this.phase = 'knocking';
  }

  /** @param {number} now */
  welcome(now) {
    this.phase = 'up';
    this.#upSince = now;
    this.#lastHeard = now;
    this.#answerDeadline = Infinity;
  }

  /** @param {number} now */
  heard(now) {
    this.#lastHeard = now;
    this.#answerDeadline = Infinity;
  }

  /** @param {number} now @param {number} random */
  lost(now, random) {
    const hasAnswered = this.phase === 'up' || this.phase === 'knocking';
    if (hasAnswered) this.failures = now - this.#upSince >= stableAfterMilliseconds ? 0 : Math.min(this.failures, failuresBeforeWelcomeLimit);
    this.failures += 1;
    this.phase = 'waiting';
    this.#deadline = now + pauseMilliseconds(this.failures, random);
  }

  /** Somebody looks at the page, or the network is back. @param {number} now @returns {LinkAct[]} */
  retryNow(now) {
    if (this.phase === 'waiting') return this.open(now);
    if ((this.phase !== 'up' && this.phase !== 'knocking') || this.#answerDeadline !== Infinity) return [];
    this.#answerDeadline = now + answerLimitMilliseconds;
    return ['check'];
  }

  /** @param {number} now */
  leave(now) {
    this.phase = 'leaving';
    this.#deadline = now + leavingLimitMilliseconds;
  }

  close() {
    this.phase = 'closed';
    this.#deadline = Infinity;
  }

  /** @param {number} now @returns {LinkAct[]} after `drop` comes `lost` */
  tick(now) {
    const due = this.wakeAt;
    if (now < due) return [];
    switch (this.phase) {
      case 'waiting':
        return this.open(now);
      case 'opening':
      case 'greeting':
        return ['drop'];
      case 'leaving':
        return ['left'];
      case 'knocking':
      case 'up':
        if (now - due < heldBackMilliseconds) return ['drop'];
        this.#lastHeard = now - silenceLimitMilliseconds + answerLimitMilliseconds;
        this.#answerDeadline = Infinity;
        return this.retryNow(now);
      default:
        return [];
    }
  }
}
