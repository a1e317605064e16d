// What a session's messengers and journals reach it through: the one place that knows whether it can still be used.

import { endingError, sessionInvalidated } from './refusals.js';

/** @typedef {import('./errors.js').HearthError} HearthError */
/** @typedef {import('./participant.js').Participant} Participant */
/** @typedef {{ isReliable: boolean, source: Participant, kind: number, payload: Uint8Array }} ArrivedMessage */
/** `waiting` until it has joined; `invalidated` is final. @typedef {'waiting' | 'joined' | 'invalidated'} SessionPhase */
/** @typedef {{ onMessage?(message: ArrivedMessage): void, onLedger?(): void, onLink?(): void, onWelcome?(): void, onPhase?(): void, onDivergence?(): void, onOver?(reason: HearthError): void }} SessionListener */

export class SessionPort {
  /** @type {SessionPhase} */
  phase = 'waiting';
  /** @type {HearthError | null} */
  reason = null;
  /** The own items of this conversation by attachment: they are given back without being loaded. */
  sources;
  /** Slots and pauses that all transfers of the conversation share. */
  transfers;
  #participation;
  #participants;
  /** @type {Set<SessionListener>} */
  #listeners = new Set();
  /** @type {PromiseWithResolvers<void>} */
  #joined = withResolvers();
  #isJoining = false;

  /**
   * @param {object} options
   * @param {string} options.id
   * @param {import('./participation.js').Participation} options.participation
   * @param {import('./participant.js').Participants} options.participants
   * @param {Map<string, Blob>} options.sources
   * @param {import('./transfers.js').Transfers} options.transfers
   */
  constructor({ id, participation, participants, sources, transfers }) {
    this.id = id;
    this.sources = sources;
    this.transfers = transfers;
    this.#participation = participation;
    this.#participants = participants;
    this.#joined.promise.catch(() => {});
  }

  get environment() {
    return this.#participation.environment;
  }

  get localId() {
    return this.#participation.state.localId;
  }

  /** The ledger while joined, else null. */
  get ledger() {
    return this.phase === 'joined' ? this.#participation.state.session(this.id)?.ledger ?? null : null;
  }

  /** @returns {readonly Participant[]} who is in the session and introduced */
  get activeParticipants() {
    return this.phase === 'joined' ? this.#participants.all(this.#participation.state.session(this.id)?.present.keys() ?? []) : [];
  }

  /** @returns {readonly Participant[]} who has seen another log of the session than we have */
  get divergentParticipants() {
    return this.#participants.all(this.#participation.state.session(this.id)?.divergences.participants ?? []);
  }

  /** @param {string} id @returns {Participant | null} */
  participant(id) {
    return this.#participants.get(id);
  }

  /** @param {string} id whether that participant is in the conversation now */
  isPresent(id) {
    return this.#participation.state.own.present.has(id);
  }

  /** @param {SessionListener} listener */
  listen(listener) {
    this.#listeners.add(listener);
  }

  /** @param {SessionListener} listener */
  unlisten(listener) {
    this.#listeners.delete(listener);
  }

  join() {
    if (this.phase !== 'waiting' || this.#isJoining) return;
    this.#isJoining = true;
    this.#participation.enter(this.id);
  }

  /** Invalidated at once; what was sent before still goes out first. */
  leave() {
    if (this.phase === 'invalidated') return;
    const wasIn = this.phase === 'joined' || this.#isJoining;
    this.invalidate('left');
    if (wasIn) void this.#participation.exit(this.id);
  }

  end() {
    if (this.phase !== 'invalidated') void this.#participation.end(this.id);
  }

  /** Resolves once joined; rejects when that will not be. */
  get joined() {
    return this.#joined.promise;
  }

  /** The relay has let us in. */
  enter() {
    if (this.phase !== 'waiting') return;
    this.phase = 'joined';
    this.#joined.resolve();
    this.#tell((listener) => listener.onPhase?.());
  }

  /** @param {import('./errors.js').HearthErrorCode} code */
  invalidate(code) {
    if (this.phase === 'invalidated') return;
    // While we are still in: whoever listens may have to take something back.
    this.#tell((listener) => listener.onOver?.(endingError(code)));
    this.phase = 'invalidated';
    this.reason = endingError(code);
    this.#joined.reject(sessionInvalidated());
    this.#tell((listener) => listener.onPhase?.());
    this.#listeners.clear();
  }

  /** @param {(listener: SessionListener) => void} tell */
  #tell(tell) {
    for (const listener of [...this.#listeners]) tell(listener);
  }

  /** @param {{ isReliable: boolean, senderId: string, kind: number, payload: Uint8Array }} message */
  deliver({ senderId, ...message }) {
    const source = this.#participants.get(senderId);
    if (source) this.#tell((listener) => listener.onMessage?.({ ...message, source }));
  }

  /** Somebody turns out to have seen another log than we have. */
  diverged() {
    this.#tell((listener) => listener.onDivergence?.());
  }

  /** The ledger, or who its makers are, has changed. */
  ledgerChanged() {
    this.#tell((listener) => listener.onLedger?.());
  }

  /** The connection was lost or is back. */
  linkChanged() {
    this.#tell((listener) => listener.onLink?.());
  }

  /** The connection is back: what pauses may try again at once. */
  welcomed() {
    this.#tell((listener) => listener.onWelcome?.());
  }

  /**
   * @param {boolean} isReliable
   * @param {{ kind: number, payload: Uint8Array, recipients: string[] }} content
   */
  async send(isReliable, content) {
    await this.#joined.promise;
    if (this.phase !== 'joined') throw sessionInvalidated();
    await (isReliable ? this.#participation.sendRecord(this.id, content) : this.#participation.sendSample(this.id, content));
  }

  /**
   * Puts an entry that is not presence-bound.
   * @param {{ entryId: string, kind: number, body: Uint8Array, bodyLength: number, isBodyComplete: boolean }} entry
   */
  async put({ entryId, kind, body, bodyLength, isBodyComplete }) {
    await this.#joined.promise;
    const sealed = await this.#participation.seals.sealEntry({ sessionId: this.id, entryId, kind, body });
    if (this.phase !== 'joined') throw sessionInvalidated();
    await this.#participation.request({ type: 'put', session: this.id, entry: entryId, isPresenceBound: false, isBodyComplete, bodyLength, sealed });
  }

  /** @param {string} entryId */
  async remove(entryId) {
    await this.#joined.promise;
    if (this.phase !== 'joined') throw sessionInvalidated();
    await this.removeNow(entryId);
  }

  /** Without waiting for anything first. @param {string} entryId */
  removeNow(entryId) {
    return this.#participation.request({ type: 'remove', session: this.id, entry: entryId });
  }
}

/** @returns {PromiseWithResolvers<void>} */
function withResolvers() {
  /** @type {any} */
  const resolvers = {};
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
}
