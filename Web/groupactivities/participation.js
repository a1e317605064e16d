// The shell around ConversationState: owns the connection, the timer and the order of work, and decides nothing.

import { decodeFrames, encodeFrame } from './frames.js';
import { HearthError } from './errors.js';
import { limits } from './limits.js';
import { Outgoing } from './outgoing.js';
import { Pace } from './pace.js';
import { RecordWindow } from './record-window.js';
import { endingError, refusalError, sessionInvalidated } from './refusals.js';
import { recordKinds } from './record-sealing.js';
import { RelayConnection } from './transport.js';

/** @typedef {import('./conversation-state.js').Effect} Effect */
/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {{ connection: RelayConnection, frame: Frame } | { connection: RelayConnection, closeCode: number } | { connection: RelayConnection, isGarbled: true }} Arrival */

/** A sample is left out when so much waits in front of it. */
const sampleBacklogLimitBytes = 262_144;
/** What was said before goes out before one leaves, but nobody waits longer for that. */
const partingLimitMilliseconds = 2_000;

export class Participation {
  /** @type {RelayConnection | null} */
  #connection = null;
  /** What has arrived and is not taken in, in order. @type {Arrival[]} */
  #arrivals = [];
  #isTakingIn = false;
  /** @type {Map<number, { resolve(): void, reject(error: unknown): void }>} */
  #waiting = new Map();
  #lastToken = 0;
  /** The sealing under way, by session: records go out in the order of their counters. @type {Map<string, Promise<unknown>>} */
  #sealing = new Map();
  #waitingRecords = { count: 0, bytes: 0 };
  #window = new RecordWindow();
  /** @type {any} */
  #timer = null;
  #timerAt = Infinity;
  #introductionToken;
  #onEffect;
  #outgoing;
  /** Resolves when the own introduction has a place; rejects when the conversation is closed before. */
  introduced;

  /**
   * @param {object} options
   * @param {import('./invitation.js').Invitation} options.invitation
   * @param {import('./seals.js').Seals} options.seals
   * @param {import('./environment.js').Environment} options.environment
   * @param {(introductionToken: number) => import('./conversation-state.js').ConversationState} options.state
   * @param {(effect: Effect) => void} options.onEffect hears what is not the shell's own business
   */
  constructor({ invitation, seals, environment, state, onEffect }) {
    this.invitation = invitation;
    this.seals = seals;
    this.environment = environment;
    this.#onEffect = onEffect;
    this.#outgoing = new Outgoing(environment, new Pace(), (bytes) => this.#connection?.send(bytes));
    const { token, promise } = this.#wait();
    this.#introductionToken = token;
    this.introduced = promise;
    this.state = state(token);
  }

  start() {
    this.#perform(this.state.start(this.environment.now()));
  }

  retryNow() {
    this.#perform(this.state.retryNow(this.environment.now()));
  }

  /** Says `leave`, after what was sealed before. */
  async leave() {
    /** @type {any} */
    let timer = null;
    const patience = new Promise((resolve) => {
      timer = this.environment.setTimeout(() => resolve(undefined), this.state.link.isUp ? partingLimitMilliseconds : 0);
    });
    await Promise.race([Promise.allSettled(this.#sealing.values()), patience]);
    this.environment.clearTimeout(timer);
    this.leaveNow();
  }

  leaveNow() {
    this.#perform(this.state.leave(this.environment.now()));
    this.#outgoing.flush();
  }

  /** @param {string} session */
  enter(session) {
    this.#perform(this.state.enter(session));
  }

  /** After what was sealed before. @param {string} session */
  async exit(session) {
    await Promise.allSettled([this.#sealing.get(session)]);
    this.#perform(this.state.exit(session));
  }

  /** @param {string} session */
  async end(session) {
    await Promise.allSettled([this.#sealing.get(session)]);
    this.#perform(this.state.end(session));
  }

  /**
   * @param {import('./requests.js').RequestFrame} frame
   * @returns {Promise<void>} resolves when it has its place, or is gone
   */
  request(frame) {
    const { token, promise } = this.#wait();
    this.#perform(this.state.request(frame, token));
    return promise;
  }

  /**
   * @param {import('./door-state.js').DoorRequest} frame
   * @returns {Promise<void>} resolves when it stands
   */
  setDoor(frame) {
    const { token, promise } = this.#wait();
    this.#perform(this.state.setDoor(frame, token));
    return promise;
  }

  /** @param {string} participant @param {boolean} admits */
  admit(participant, admits) {
    this.#perform(this.state.admit(participant, admits));
  }

  /**
   * Of a session that has been entered.
   * @param {string} session
   * @param {{ kind: number, payload: Uint8Array, recipients: string[] }} content
   * @returns {Promise<void>} resolves when the record has its place
   */
  async sendRecord(session, content) {
    const size = content.payload.length;
    this.#checkQueue(size);
    this.#waitingRecords.count += 1;
    this.#waitingRecords.bytes += size;
    try {
      const sealer = await this.seals.sealer(session, 'record');
      if (!this.state.session(session)?.isEntered || this.state.link.phase === 'closed') throw sessionInvalidated();
      const { chain } = /** @type {import('./session-state.js').SessionState} */ (this.state.session(session));
      // Whoever is not among the recipients has not been told.
      const sealed = sealer.seal({ ...content, speak: () => chain.speak(content.recipients.length === 0) });
      sealed.catch(() => {});
      const handedOver = Promise.allSettled([this.#sealing.get(session)]).then(async () => {
        const record = await sealed;
        await this.#window.enter(size);
        const { token, promise } = this.#wait();
        const leave = () => this.#window.leave(size);
        promise.then(leave, leave);
        this.#perform(this.state.record(session, { ...record, recipients: content.recipients, token }));
        return { promise };
      });
      this.#sealing.set(session, handedOver);
      await (await handedOver).promise;
    } finally {
      this.#waitingRecords.count -= 1;
      this.#waitingRecords.bytes -= size;
    }
  }

  /** @param {number} size */
  #checkQueue(size) {
    const { count, bytes } = this.#waitingRecords;
    if (count < limits.logFrameCountLimit && bytes + size <= limits.logSizeLimitBytes) return;
    throw new HearthError('queue-full', `${count} messages of ${bytes} bytes wait for their place; wait for them before sending more`, { limit: limits.logSizeLimitBytes, value: bytes + size });
  }

  /**
   * Left out when the connection is away or behind.
   * @param {string} session
   * @param {{ kind: number, payload: Uint8Array, recipients: string[] }} content
   */
  async sendSample(session, content) {
    const sealer = await this.seals.sealer(session, 'sample');
    const { sealed } = await sealer.seal(content);
    const isBehind = this.#outgoing.isHeldBack || (this.#connection?.waitingBytes ?? 0) > sampleBacklogLimitBytes;
    if (isBehind || !this.state.link.isUp || !this.state.session(session)?.isEntered) return;
    this.#outgoing.push({ type: 'sample', session, recipients: content.recipients, sealed });
  }

  /** @returns {{ token: number, promise: Promise<void> }} */
  #wait() {
    this.#lastToken += 1;
    const token = this.#lastToken;
    const promise = new Promise((resolve, reject) => this.#waiting.set(token, { resolve: () => resolve(undefined), reject }));
    // Whoever does not look at the answer is not to be told of an unhandled rejection.
    promise.catch(() => {});
    return { token, promise };
  }

  /** @param {Effect[]} effects */
  #perform(effects) {
    for (const effect of effects) this.#act(effect);
    this.#schedule();
  }

  /** @param {Effect} effect */
  #act(effect) {
    switch (effect.type) {
      case 'open':
        return this.#open();
      case 'drop':
        return this.#drop();
      case 'check':
        return this.#connection?.send(encodeFrame({ type: 'ping', token: BigInt(Math.floor(this.environment.random() * 2 ** 53)) }));
      case 'send':
        return this.#outgoing.push(effect.frame);
      case 'position-due':
        // Should it fail, it is due again later.
        return void this.sendRecord(effect.session, { kind: recordKinds.position, payload: new Uint8Array(0), recipients: [] }).catch(() => {});
      case 'settle':
        return this.#settle(effect);
      case 'closed':
        return this.#close(effect);
      default:
        return this.#onEffect(effect);
    }
  }

  /** @param {Extract<Effect, { type: 'settle' }>} effect */
  #settle({ token, refusal }) {
    const waiting = this.#waiting.get(token);
    this.#waiting.delete(token);
    if (refusal === null) waiting?.resolve();
    else waiting?.reject(refusal === 'session-invalidated' ? sessionInvalidated() : refusalError(refusal));
  }

  /** @param {Extract<Effect, { type: 'closed' }>} effect */
  #close(effect) {
    this.#waiting.get(this.#introductionToken)?.reject(endingError(effect.code));
    for (const { reject } of this.#waiting.values()) reject(sessionInvalidated());
    this.#waiting.clear();
    this.#onEffect(effect);
  }

  #open() {
    this.#drop();
    const { origin, conversationId } = this.invitation;
    try {
      /** @type {RelayConnection} */
      const connection = new RelayConnection({ origin, conversationId, network: this.environment.network }, {
        onOpen: () => this.#perform(this.state.opened(this.environment.now())),
        onMessage: (bytes) => this.#arrived(connection, bytes),
        onClose: (closeCode) => this.#arrive({ connection, closeCode }),
      });
      this.#connection = connection;
    } catch {
      // A browser may refuse to try at all, as with ws: from a page that came by https:.
      this.#perform(this.state.lost(1006, this.environment.now(), this.environment.random()));
    }
  }

  #drop() {
    this.#connection?.drop();
    this.#connection = null;
    this.#arrivals = [];
    this.#outgoing.clear();
  }

  /**
   * @param {RelayConnection} connection
   * @param {Uint8Array} bytes
   */
  #arrived(connection, bytes) {
    this.state.heard(this.environment.now());
    try {
      for (const frame of decodeFrames(bytes)) {
        // Here and not in turn: a hidden page's timers may be a minute late, and its opening of a long backlog too.
        if (frame.type === 'ping') connection.send(encodeFrame({ type: 'pong', token: frame.token }));
        else this.#arrive({ connection, frame });
      }
    } catch {
      this.#arrive({ connection, isGarbled: true });
    }
  }

  /** @param {Arrival} arrival */
  #arrive(arrival) {
    this.#arrivals.push(arrival);
    if (!this.#isTakingIn) void this.#takeIn();
  }

  /** One after the other: opening takes time, and the order is the meaning. */
  async #takeIn() {
    this.#isTakingIn = true;
    while (this.#arrivals.length > 0) {
      const arrivals = this.#arrivals;
      this.#arrivals = [];
      for (const arrival of arrivals) await this.#takeInOne(arrival);
    }
    this.#isTakingIn = false;
  }

  /** @param {Arrival} arrival */
  async #takeInOne(arrival) {
    if (arrival.connection !== this.#connection) return;
    if ('isGarbled' in arrival) return this.#perform(this.state.garbled());
    if ('closeCode' in arrival) {
      this.#drop();
      return this.#perform(this.state.lost(arrival.closeCode, this.environment.now(), this.environment.random()));
    }
    const opened = this.state.mustOpen(arrival.frame) ? await this.#opened(arrival.frame) : null;
    if (arrival.connection !== this.#connection) return;
    this.#perform(this.state.take(arrival.frame, opened, this.environment.now()));
  }

  /** @param {Frame} frame */
  #opened(frame) {
    const chain = 'session' in frame ? this.state.session(frame.session)?.chain : undefined;
    return this.seals.open(frame, (kid) => this.state.senderOf(kid), chain);
  }

  #schedule() {
    const at = this.state.wakeAt;
    if (at >= this.#timerAt && this.state.link.phase !== 'closed') return;
    if (this.#timer !== null) this.environment.clearTimeout(this.#timer);
    this.#timer = null;
    this.#timerAt = at;
    if (at === Infinity) return;
    this.#timer = this.environment.setTimeout(() => {
      this.#timer = null;
      this.#timerAt = Infinity;
      this.#perform(this.state.tick(this.environment.now(), this.environment.random()));
    }, Math.max(0, at - this.environment.now()));
  }
}
