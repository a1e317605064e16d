// What all uploads and downloads of a conversation share: how many run at once, whose turn it is, and how long a failed one waits.

import { pauseMilliseconds } from './backoff.js';
import { HearthError } from './errors.js';
import { limits } from './limits.js';

/** Browsers open six connections to one host: three for sending, three for loading. */
export const parallelPartLimit = 3;
/** Requests that may have to wait for their uploader leave a connection to those that need not. */
const parallelPatientLimit = 2;

/**
 * On a slow line one part at a time fills it; several fill its queues too, and every message then waits behind them or is lost with what does not fit (docs/protocol/attachments.md, "Beside messages").
 * Below 2 MiB/s three parts at a time take longer than the first of these, each, and above it one alone takes less than the second.
 */
const slowPartMilliseconds = 1_500;
const quickPartMilliseconds = 500;
/** What is smaller says more of the way than of the line. */
const tellingPartSizeBytes = limits.partSizeBytes / 4;

export class Transfers {
  uploads = new Slots(parallelPartLimit);
  /** Of the parts that are sealed those that travel; the others are ready when one of these has arrived. */
  outgoing = new Line();
  downloads = new Slots(parallelPartLimit, parallelPatientLimit);
  /** Of the parts that are loaded those that the relay holds whole: what is still coming to it has the pace of whoever sends it. */
  incoming = new Line();

  /**
   * @param {import('./environment.js').Environment} environment
   * @param {import('./transport.js').AttachmentRoutes} routes
   */
  constructor(environment, routes) {
    this.environment = environment;
    this.routes = routes;
  }
}

/** One direction of the line to the relay: how many parts go at once follows from how long they take. */
export class Line {
  #slots = new Slots(1);
  #isKnown = false;

  /** @param {object} owner @param {AbortSignal} signal @returns {Promise<() => void>} as `Slots.acquire` */
  acquire(owner, signal) {
    return this.#slots.acquire(owner, signal);
  }

  /**
   * @param {number} milliseconds from the beginning of the request to its answer
   * @param {number} length in bytes, of the part
   */
  travelled(milliseconds, length) {
    const isTelling = length >= tellingPartSizeBytes;
    if (!isTelling && this.#isKnown) return;
    this.#isKnown ||= isTelling;
    const whole = isTelling ? milliseconds * limits.partSizeBytes / length : milliseconds;
    if (whole > slowPartMilliseconds) this.#slots.resize(1);
    else if (whole < quickPartMilliseconds) this.#slots.resize(parallelPartLimit);
  }
}

/** @typedef {{ owner: object, isPatient: boolean, grant(): void }} SlotRequest */

/** So many at once; whose owner has waited longest since it last had a turn is next. */
export class Slots {
  #count;
  #free;
  #freePatient;
  /** @type {SlotRequest[]} */
  #queue = [];
  /** @type {WeakMap<object, number>} */
  #lastTurn = new WeakMap();
  #turn = 0;

  /** @param {number} count @param {number} [patientCount] */
  constructor(count, patientCount = count) {
    this.#count = count;
    this.#free = count;
    this.#freePatient = patientCount;
  }

  /** What holds a slot keeps it. @param {number} count from now on */
  resize(count) {
    this.#free += count - this.#count;
    this.#count = count;
    this.#serve();
  }

  /**
   * @param {object} owner
   * @param {AbortSignal} signal
   * @param {boolean} [isPatient] it may have to wait for somebody else
   * @returns {Promise<() => void>} gives the slot back; rejects with the signal's reason
   */
  acquire(owner, signal, isPatient = false) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = () => {
        this.#queue = this.#queue.filter((each) => each !== request);
        reject(signal.reason);
      };
      const request = {
        owner,
        isPatient,
        grant: () => {
          signal.removeEventListener('abort', abort);
          resolve(this.#release(isPatient));
        },
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#queue.push(request);
      this.#serve();
    });
  }

  /** @param {boolean} isPatient */
  #release(isPatient) {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#free += 1;
      if (isPatient) this.#freePatient += 1;
      this.#serve();
    };
  }

  #serve() {
    while (this.#free > 0) {
      const waiting = this.#queue.filter(({ isPatient }) => !isPatient || this.#freePatient > 0);
      if (waiting.length === 0) return;
      const next = waiting.reduce((first, each) => (this.#lastTurnOf(each) < this.#lastTurnOf(first) ? each : first));
      this.#queue = this.#queue.filter((each) => each !== next);
      this.#turn += 1;
      this.#lastTurn.set(next.owner, this.#turn);
      this.#free -= 1;
      if (next.isPatient) this.#freePatient -= 1;
      next.grant();
    }
  }

  /** @param {SlotRequest} request */
  #lastTurnOf({ owner }) {
    return this.#lastTurn.get(owner) ?? 0;
  }
}

/** What a relay asks for that would rather be asked later: its `Retry-After`. */
export const askedPauseMilliseconds = 1_000;

/** @param {number | undefined} status */
export const isPatienceAsked = (status) => status === 429 || status === 503;

/** The growing pauses of one transfer; `kick` ends the one that runs. */
export class RetryPause {
  #failures = 0;
  #environment;
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /** @param {import('./environment.js').Environment} environment */
  constructor(environment) {
    this.#environment = environment;
  }

  /** Something moved: the next pause is short again. */
  succeed() {
    this.#failures = 0;
  }

  kick() {
    this.#failures = 0;
    for (const wake of [...this.#waiting]) wake();
  }

  /**
   * @param {AbortSignal} signal rejects with its reason
   * @param {number} [atLeastMilliseconds]
   * @returns {Promise<void>}
   */
  wait(signal, atLeastMilliseconds = 0) {
    this.#failures += 1;
    const milliseconds = Math.max(atLeastMilliseconds, pauseMilliseconds(this.#failures, this.#environment.random()));
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const end = (/** @type {() => void} */ settle) => {
        this.#environment.clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', abort);
        settle();
      };
      const wake = () => end(resolve);
      const abort = () => end(() => reject(signal.reason));
      const timer = this.#environment.setTimeout(wake, milliseconds);
      this.#waiting.add(wake);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}

/** One request: given up when nothing moved for too long, or when its transfer is. */
export class Attempt {
  #controller = new AbortController();
  #environment;
  #stallMilliseconds;
  /** @type {any} */
  #timer;
  #outer;
  #abort = () => this.#controller.abort(this.#outer.reason);

  /**
   * @param {import('./environment.js').Environment} environment
   * @param {AbortSignal} outer
   * @param {number} stallMilliseconds
   */
  constructor(environment, outer, stallMilliseconds) {
    this.#environment = environment;
    this.#outer = outer;
    this.#stallMilliseconds = stallMilliseconds;
    outer.addEventListener('abort', this.#abort, { once: true });
    if (outer.aborted) this.#abort();
    this.moved();
  }

  get signal() {
    return this.#controller.signal;
  }

  moved() {
    this.#environment.clearTimeout(this.#timer);
    this.#timer = this.#environment.setTimeout(() => this.giveUp(), this.#stallMilliseconds);
  }

  giveUp() {
    this.#controller.abort(new HearthError('relay-unreachable', `Nothing moved for ${this.#stallMilliseconds} ms, or the connection was lost`));
  }

  end() {
    this.#environment.clearTimeout(this.#timer);
    this.#outer.removeEventListener('abort', this.#abort);
  }
}

/**
 * Refuses what does not come from the relay, whatever its status says.
 * @param {Response} response
 */
export function checkOrigin(response) {
  if (response.headers.has('Hearth')) return;
  response.body?.cancel().catch(() => {});
  const code = response.status === 413 || response.status === 411 ? 'proxy-limit' : 'not-from-relay';
  throw new HearthError(code, `Something in front of the relay answered with status ${response.status}`, { value: response.status });
}
