// The only door to a conversation: people, activities, and the state of the connection.

import { ValueSequence } from './async-sequence.js';
import { decode, encode } from './base64url.js';
import { ConversationState } from './conversation-state.js';
import { doorBody, passLengthBytes, secondsOf } from './door.js';
import { activityBody, entryKinds, introductionBody } from './entry-sealing.js';
import { environment as surroundings } from './environment.js';
import { HearthError } from './errors.js';
import { sayFarewell, ticketOf } from './farewell.js';
import { OWN_SESSION, randomId } from './identifiers.js';
import { Identity } from './identity.js';
import { Invitation } from './invitation.js';
import { EpochKeys } from './keys.js';
import { Participants } from './participant.js';
import { Participation } from './participation.js';
import { endingError } from './refusals.js';
import { Seals } from './seals.js';
import { SessionPort } from './session-port.js';
import { GroupSession } from './session.js';
import { Transfers } from './transfers.js';
import { AttachmentRoutes } from './transport.js';
import { untilAborted } from './attachment.js';

/** @typedef {import('./conversation-state.js').Announcement} Announcement */
/** @typedef {import('./conversation-state.js').Effect} Effect */
/** @typedef {import('./participant.js').Participant} Participant */
/** @typedef {{ name: string, signal?: AbortSignal, replaces?: string, pass?: string, onWaiting?: () => void, environment?: import('./environment.js').GivenEnvironment }} JoinOptions `name`: 1 to 64 bytes of UTF-8, shown to the others. `replaces`: the ticket of a participation that ends with this one's beginning. `pass`: that an earlier participation had. `onWaiting`: a member has to let us in; `signal` ends the waiting */
/** `closesAt`: from when on the invitation lets nobody in; null: never. `setBy`: null where no member's signature confirms the relay's word, and of somebody who was never seen. @typedef {Readonly<{ mode: import('./door.js').DoorMode | 'unknown', closesAt: Date | null, isConfirmed: boolean, setBy: Participant | null }>} Door */
/** `name`: text from a stranger. @typedef {Readonly<{ id: string, name: string }>} Knock */
/** @typedef {{ session: GroupSession, port: SessionPort }} LiveSession */

/** Events: `statechange`, `participantschange`, `sessionschange`, `doorchange`, `knockschange`. */
export class Conversation extends EventTarget {
  #participation;
  #participants = new Participants();
  #transfers;
  #code;
  /** Whoever shows it to the relay can end this participation, and nothing else: for a page that comes after this one. @type {string} */
  ticket;
  /** @type {Map<string, Blob>} */
  #sources = new Map();
  /** By id; those that have been offered and are not over on the relay's side. @type {Map<string, LiveSession>} */
  #sessions = new Map();
  /** @type {Set<{ activityIdentifier: string, sequence: ValueSequence<GroupSession> }>} */
  #offers = new Set();
  /** @type {HearthError | null} */
  #closeReason = null;
  /** @type {(() => void)[]} */
  #onClosed = [];
  #state = /** @type {'connecting' | 'waiting' | 'connected' | 'reconnecting' | 'closed'} */ ('connecting');
  #isWhole = false;
  #onWhole = () => {};

  /**
   * Makes a conversation and joins it.
   * @param {JoinOptions & { relay: string }} options `relay`: the origin, `https://HOST`
   * @returns {Promise<Conversation>} rejects as `join` does
   */
  static create({ relay, ...options }) {
    return Conversation.#enter(() => Invitation.create(relay), true, options);
  }

  /**
   * Joins as a new participant.
   * @param {Invitation} invitation
   * @param {JoinOptions} options
   * @returns {Promise<Conversation>} resolves once everyone who is there is known and oneself introduced; rejects with `unknown-conversation`, `not-invited`, `conversation-full`, `locked`, `invitation-ended`, `declined`, `not-answered`,
   *   `too-many-waiting`, `relay-unreachable` (after four attempts), `insecure-context`, `unsupported-version`, `name-too-long`, `aborted`
   */
  static join(invitation, options) {
    return Conversation.#enter(() => invitation, false, options);
  }

  /**
   * @param {() => Invitation} invite
   * @param {boolean} mayCreate
   * @param {JoinOptions} options
   */
  static async #enter(invite, mayCreate, { name, signal, replaces, pass, onWaiting, environment }) {
    if (!globalThis.crypto?.subtle) throw new HearthError('insecure-context', 'Browsers encrypt only on https: and localhost');
    if (signal?.aborted) throw new HearthError('aborted', 'Aborted by its caller');
    const body = introductionBody(name);
    const invitation = invite();
    const keys = await EpochKeys.from(invitation);
    const identity = await Identity.create(invitation.conversationId);
    const seals = new Seals(keys, identity);
    const sealedIntroduction = await seals.sealEntry({ sessionId: OWN_SESSION, entryId: identity.participantId, kind: entryKinds.introduction, body });
    const conversation = new Conversation({ invitation, keys, localId: identity.participantId, seals, sealedIntroduction, mayCreate, pass: passOf(pass), environment: surroundings(environment) });
    if (onWaiting) conversation.addEventListener('statechange', () => { if (conversation.state === 'waiting') onWaiting(); });
    try {
      await (signal ? untilAborted(conversation.#start(), signal) : conversation.#start());
    } catch (error) {
      conversation.leaveNow();
      throw error;
    }
    if (replaces !== undefined) void sayFarewell(replaces, { invitation, relayToken: keys.relayToken, environment: surroundings(environment) });
    return conversation;
  }

  /**
   * @param {object} options
   * @param {Invitation} options.invitation
   * @param {EpochKeys} options.keys
   * @param {string} options.localId
   * @param {Seals} options.seals
   * @param {Uint8Array} options.sealedIntroduction
   * @param {boolean} options.mayCreate
   * @param {Uint8Array | null} options.pass
   * @param {import('./environment.js').Environment} options.environment
   * @private
   */
  constructor({ invitation, keys: { relayToken, code }, localId, seals, sealedIntroduction, mayCreate, pass, environment }) {
    super();
    const { origin, conversationId } = invitation;
    this.#code = code;
    const participantSecret = randomId();
    this.ticket = ticketOf(localId, participantSecret);
    this.#transfers = new Transfers(environment, new AttachmentRoutes({ origin, conversationId, relayToken, network: environment.network }));
    this.#participation = new Participation({
      invitation,
      seals,
      environment,
      state: (introductionToken) => new ConversationState({ localId, participantSecret, relayToken, sealedIntroduction, introductionToken, mayCreate, pass }),
      onEffect: (effect) => this.#follow(effect),
    });
  }

  async #start() {
    const whole = new Promise((resolve) => {
      this.#onWhole = () => resolve(undefined);
    });
    this.#participation.start();
    await this.#participation.introduced;
    if (this.#closeReason) throw this.#closeReason;
    await Promise.race([whole, new Promise((_, reject) => this.#onClosed.push(() => reject(this.#closeReason)))]);
  }

  get invitation() {
    return this.#participation.invitation;
  }

  /** The session code, `01234 56789 01234 56789`, equal on every screen of this conversation. */
  get code() {
    return this.#code;
  }

  /** `connecting`, `waiting` (a member has to let us in), `connected`, `reconnecting` (by itself, with growing pauses) or `closed`, which is final. */
  get state() {
    return this.#state;
  }

  /** Once closed: `left`, `conversation-ended`, `cannot-resume` (away for too long: join again), `replaced`, `gap`, `tampered` and the like; else null. */
  get closeReason() {
    return this.#closeReason;
  }

  /** In order of coming, the local one included. @returns {readonly Participant[]} */
  get participants() {
    return this.#participants.present;
  }

  get localParticipant() {
    return /** @type {Participant} */ (this.#participants.get(this.#participation.state.localId));
  }

  /**
   * Sessions of an activity in state `waiting` that run already, then those to come, each once; a session that one has left is offered again, as a new object.
   * Ends when the conversation is closed.
   * @param {string} activityIdentifier
   * @returns {AsyncIterableIterator<GroupSession>}
   */
  sessions(activityIdentifier) {
    /** @type {ValueSequence<GroupSession>} */
    const sequence = new ValueSequence(() => this.#offers.delete(offer));
    const offer = { activityIdentifier, sequence };
    this.#offers.add(offer);
    for (const { session } of this.#sessions.values()) if (session.activityIdentifier === activityIdentifier && session.state !== 'invalidated') sequence.push(session);
    if (this.#state === 'closed') sequence.finish();
    return sequence;
  }

  /**
   * Starts a session; it arrives through `sessions` for everyone, the starter included.
   * @param {{ activityIdentifier: string, activity?: unknown, metadata?: unknown }} announcement any JSON values, together at most 128 KiB when sealed
   * @returns {Promise<string>} the session's id, once it has a place; rejects with `entry-too-large`, `too-many-sessions`, `storage-failed`, `conversation-closed`
   */
  async activate({ activityIdentifier, activity = null, metadata = null }) {
    const id = randomId();
    await this.#announce(id, { activityIdentifier, activity, metadata });
    return id;
  }

  /**
   * @param {string} id
   * @param {{ activityIdentifier: string, activity: unknown, metadata: unknown }} announcement
   */
  async #announce(id, announcement) {
    const sealed = await this.#participation.seals.sealEntry({ sessionId: OWN_SESSION, entryId: id, kind: entryKinds.activity, body: activityBody(announcement) });
    await this.#orClosed(this.#participation.request({ type: 'put', session: OWN_SESSION, entry: id, isPresenceBound: false, isBodyComplete: false, bodyLength: 0, sealed }));
  }

  /** What can only be refused because the conversation is over is refused with that. @param {Promise<void>} answer */
  async #orClosed(answer) {
    try {
      await answer;
    } catch (error) {
      throw error instanceof HearthError && error.code === 'session-invalidated' ? endingError('conversation-closed') : error;
    }
  }

  /** Who else may come in. @returns {Door} */
  get door() {
    const { known } = this.#participation.state.door;
    if (known === null) return Object.freeze({ mode: 'open', closesAt: null, isConfirmed: true, setBy: null });
    const { mode, closesAt, setterId } = known;
    return Object.freeze({
      mode, closesAt: closesAt === 0 ? null : new Date(closesAt * 1_000), isConfirmed: setterId !== null, setBy: setterId === null ? null : this.#participants.get(setterId),
    });
  }

  /** What lets this person back in past the door, as a new participant: for a page that comes after this one, to be kept as secret as the invitation. @returns {string | null} */
  get pass() {
    const { pass } = this.#participation.state.door;
    return pass === null ? null : encode(pass);
  }

  /**
   * Says who else may come in: `open` everyone with the invitation, `knock` whom a member lets in, `locked` nobody; and from when on nobody, by the relay's clock. The last to say so has the say.
   * @param {{ mode: import('./door.js').DoorMode, closesAt?: Date | null }} door
   * @returns {Promise<void>} resolves once it stands; rejects with `date-out-of-range` (past, or more than 366 days ahead), `storage-failed`, `conversation-closed`
   */
  async setDoor({ mode, closesAt: end = null }) {
    const { known, pass: knownPass } = this.#participation.state.door;
    const closesAt = secondsOf(end);
    // Who has left while everyone could come in is not to come back by what they knew.
    const wasShut = known !== null && known.setterId !== null && (known.mode !== 'open' || known.closesAt !== 0);
    const pass = wasShut && knownPass ? knownPass : globalThis.crypto.getRandomValues(new Uint8Array(passLengthBytes));
    const sealed = await this.#participation.seals.sealEntry({ sessionId: OWN_SESSION, entryId: OWN_SESSION, kind: entryKinds.door, body: doorBody({ mode, closesAt, pass }) });
    const passDigest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (pass)));
    await this.#orClosed(this.#participation.setDoor({ type: 'setDoor', mode, closesAt, passDigest, sealed }));
  }

  /** Who knocks and may be let in, in order of coming. @returns {readonly Knock[]} */
  get knocks() {
    return Object.freeze([...this.#participation.state.door.knocks].map(([id, name]) => Object.freeze({ id, name })));
  }

  /** @param {string} id of a knock; nothing happens when they knock no more */
  admit(id) {
    this.#participation.admit(id, true);
  }

  /** @param {string} id of a knock; nothing happens when they knock no more */
  decline(id) {
    this.#participation.admit(id, false);
  }

  /** Leaves for good. @returns {Promise<void>} resolves when the relay has answered, or after 2 s */
  async leave() {
    if (this.#state === 'closed') return;
    const closed = new Promise((resolve) => this.#onClosed.push(() => resolve(undefined)));
    await this.#participation.leave();
    await closed;
  }

  /** For `pagehide`: says that one leaves, without waiting for anything. */
  leaveNow() {
    if (this.#state !== 'closed') this.#participation.leaveNow();
  }

  /** Ends the pause before the next attempt to connect, and makes sure that a connection that claims to be open is. Call it when the page becomes visible or `online` fires. */
  retryNow() {
    this.#participation.retryNow();
  }

  /** @param {Effect} effect */
  #follow(effect) {
    switch (effect.type) {
      case 'link':
        return this.#linkChanged();
      case 'welcomed':
        return this.#forEachPort((port) => port.welcomed());
      case 'participants':
        return this.#participantsChanged();
      case 'door':
        this.dispatchEvent(new Event('doorchange'));
        return;
      case 'knocks':
        this.dispatchEvent(new Event('knockschange'));
        return;
      case 'announcements':
        return this.#announcementsChanged();
      case 'closed':
        return this.#close(effect.code);
      case 'message':
        return this.#sessions.get(effect.session)?.port.deliver(effect);
      case 'joined':
        return this.#sessions.get(effect.session)?.port.enter();
      case 'present':
        return this.#sessions.get(effect.session)?.session.participantsChanged();
      case 'ledger':
        return this.#sessions.get(effect.session)?.port.ledgerChanged();
      case 'diverged':
        return this.#sessions.get(effect.session)?.port.diverged();
      case 'over':
        return this.#sessions.get(effect.session)?.port.invalidate(invalidationCode(effect.reason));
      case 'exited':
        return this.#exited(effect.session);
    }
  }

  /** @param {(port: SessionPort) => void} tell */
  #forEachPort(tell) {
    for (const { port } of [...this.#sessions.values()]) tell(port);
  }

  #linkChanged() {
    const { link, isAdmitted } = this.#participation.state;
    if (link.phase === 'knocking') this.#setState('waiting');
    else this.#setState(link.isUp || link.phase === 'leaving' ? 'connected' : isAdmitted ? 'reconnecting' : 'connecting');
    this.#forEachPort((port) => port.linkChanged());
  }

  /** @param {Conversation['state']} state */
  #setState(state) {
    if (this.#state === state || this.#state === 'closed') return;
    this.#state = state;
    this.dispatchEvent(new Event('statechange'));
  }

  #participantsChanged() {
    if (!this.#isWhole && this.#participation.state.own.ledger.isComplete) {
      this.#isWhole = true;
      this.#onWhole();
    }
    if (!this.#participants.update(this.#participation.state)) return;
    for (const { session } of this.#sessions.values()) session.participantsChanged();
    this.dispatchEvent(new Event('participantschange'));
  }

  #announcementsChanged() {
    const { announcements } = this.#participation.state;
    let isChanged = false;
    for (const [id, { session, port }] of [...this.#sessions]) {
      const announcement = announcements.get(id);
      if (announcement) session.update(announcement);
      else if (port.phase !== 'joined') {
        this.#sessions.delete(id);
        port.invalidate('ended');
        isChanged = true;
      }
    }
    for (const announcement of announcements.values()) {
      if (this.#sessions.has(announcement.session)) continue;
      this.#offer(announcement);
      isChanged = true;
    }
    if (isChanged) this.dispatchEvent(new Event('sessionschange'));
  }

  /** @param {Announcement} announcement */
  #offer(announcement) {
    const { session: id, activityIdentifier, metadata } = announcement;
    const port = new SessionPort({ id, participation: this.#participation, participants: this.#participants, sources: this.#sources, transfers: this.#transfers });
    const replace = (/** @type {unknown} */ activity) => this.#announce(id, { activityIdentifier, activity, metadata });
    const session = new GroupSession({ port, announcement, participants: this.#participants, replace });
    this.#sessions.set(id, { session, port });
    for (const offer of [...this.#offers]) if (offer.activityIdentifier === activityIdentifier) offer.sequence.push(session);
  }

  /** The relay no longer counts us among those in the session. @param {string} id */
  #exited(id) {
    const live = this.#sessions.get(id);
    const announcement = this.#participation.state.announcements.get(id);
    if (!live) return;
    // What was tampered with once would be again; and an ended session's announcement is on its way out.
    const isOffered = announcement && (live.port.reason?.code === 'left' || live.port.reason?.code === 'gap');
    if (isOffered) this.#offer(announcement);
    else if (!announcement) this.#sessions.delete(id);
    this.dispatchEvent(new Event('sessionschange'));
  }

  /** @param {import('./errors.js').HearthErrorCode} code */
  #close(code) {
    this.#closeReason = endingError(code);
    this.#forEachPort((port) => port.invalidate('conversation-closed'));
    for (const { sequence } of [...this.#offers]) sequence.finish();
    this.#setState('closed');
    for (const closed of this.#onClosed.splice(0)) closed();
  }
}

/** What is no pass lets nobody in: as good as none. @param {string | undefined} text */
function passOf(text) {
  try {
    const pass = decode(text ?? '');
    return pass.length === passLengthBytes ? pass : null;
  } catch {
    return null;
  }
}

/**
 * @param {Extract<import('./session-state.js').SessionEffect, { type: 'over' }>['reason']} reason
 * @returns {import('./errors.js').HearthErrorCode}
 */
function invalidationCode(reason) {
  if (reason === 'refused') return 'not-permitted';
  return reason === 'away' ? 'conversation-closed' : reason;
}
