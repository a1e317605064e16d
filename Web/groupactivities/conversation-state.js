// The rules of a participant's side: a value that takes events and returns effects, without I/O, clock or randomness of its own.

import { closeReason } from './close-reasons.js';
import { DoorState } from './door-state.js';
import { entryKinds } from './entry-sealing.js';
import { OWN_SESSION } from './identifiers.js';
import { isAcceptableInOwnSession, isAcceptableInSession } from './ledger.js';
import { LinkState } from './link-state.js';
import { kidOf } from './record-sealing.js';
import { SessionState } from './session-state.js';

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./session-state.js').Opened} Opened */
/** @typedef {import('./errors.js').HearthErrorCode} HearthErrorCode */
/**
 * What the shell is to do. `settle` answers the request with that token; `closed` is the last.
 * @typedef {import('./session-state.js').SessionEffect
 *   | { type: 'open' | 'drop' | 'check' | 'link' | 'welcomed' | 'participants' | 'announcements' | 'door' | 'knocks' }
 *   | { type: 'closed', code: HearthErrorCode }} Effect
 */
/** @typedef {{ publicKey: Uint8Array, name: string }} Introduction */
/** @typedef {{ session: string, activityIdentifier: string, activity: unknown, metadata: unknown, initiatorId: string }} Announcement */

/** @type {Partial<Record<import('./close-reasons.js').CloseWord, HearthErrorCode>>} */
const closeCodes = {
  left: 'left',
  'conversation-ended': 'conversation-ended',
  'unsupported-version': 'unsupported-version',
  'not-invited': 'not-invited',
  'unknown-conversation': 'unknown-conversation',
  'conversation-full': 'conversation-full',
  locked: 'locked',
  'invitation-ended': 'invitation-ended',
  declined: 'declined',
  'not-answered': 'not-answered',
  'too-many-waiting': 'too-many-waiting',
  replaced: 'replaced',
  flooding: 'flooding',
  'frame-too-large': 'too-large',
  'cannot-resume': 'cannot-resume',
};

/**
 * What the end of the own session means for the conversation. The relay tells it in the log first, and closes after that.
 * @type {Record<Extract<import('./session-state.js').SessionEffect, { type: 'over' }>['reason'], HearthErrorCode>}
 */
const ownSessionCodes = { left: 'left', away: 'cannot-resume', ended: 'conversation-ended', refused: 'conversation-ended', gap: 'gap', tampered: 'tampered' };

/** Before the first welcome: so many attempts, then whoever waits is told. */
const firstAttemptsLimit = 4;

export class ConversationState {
  link = new LinkState();
  /** Not the own one. @type {Map<string, SessionState>} */
  sessions = new Map();
  /** Everybody who was ever validly introduced. @type {Map<string, Introduction>} */
  introductions = new Map();
  isAdmitted = false;
  #kids = /** @type {Map<bigint, string>} */ (new Map());
  #initiators = /** @type {Map<string, string>} */ (new Map());
  #incarnation = 0n;
  /** @type {import('./frames.js').FrameOf<'welcome'> | null} */
  #lastWelcome = null;
  /** The one before, by which a relay knows that we come from before it restarted. */
  #formerIncarnation = 0n;
  /** What the last `hello` named. @type {Set<string>} */
  #named = new Set();
  #options;

  /**
   * @param {{ localId: string, participantSecret: string, relayToken: Uint8Array, sealedIntroduction: Uint8Array, introductionToken: number, mayCreate: boolean, pass?: Uint8Array | null }} options
   */
  constructor(options) {
    this.#options = options;
    this.own = new SessionState(OWN_SESSION, options.localId, isAcceptableInOwnSession);
    this.own.phase = 'entering';
    this.door = new DoorState(options.pass ?? null);
    this.#introduce(options.introductionToken);
  }

  get localId() {
    return this.#options.localId;
  }

  /** Undefined unless it was entered and has not ended. @param {string} id @returns {SessionState | undefined} */
  session(id) {
    return id === OWN_SESSION ? this.own : this.sessions.get(id);
  }

  get #all() {
    return [this.own, ...this.sessions.values()];
  }

  /** Activities that run, by session. @returns {Map<string, Announcement>} */
  get announcements() {
    const announcements = new Map();
    for (const { id, kind, makerId, value } of this.own.ledger.entries.values()) {
      if (kind === entryKinds.activity) announcements.set(id, { session: id, ...value, initiatorId: this.#initiators.get(id) ?? makerId });
    }
    return announcements;
  }

  /** In the conversation and validly introduced, in order of coming. */
  get participantIds() {
    return [...this.own.present.keys()].filter((id) => this.introductions.has(id));
  }

  /** When `tick` has to be called next, in milliseconds. */
  get wakeAt() {
    const due = this.link.isUp ? this.#all.flatMap(({ acknowledgeAt, positionAt }) => [acknowledgeAt, positionAt]) : [];
    return Math.min(this.link.wakeAt, ...due);
  }

  /** @param {number} now @returns {Effect[]} */
  start(now) {
    return this.#acts(this.link.open(now), now, 0);
  }

  /** The socket is open. @param {number} now @returns {Effect[]} */
  opened(now) {
    this.link.greet(now);
    const { localId, participantSecret, relayToken, mayCreate } = this.#options;
    // Without a place in the own session there is nothing to resume: then it is said as the time before, with the sessions that it was in.
    const canResume = this.#incarnation !== 0n && this.own.hasPosition;
    const named = this.#all.filter((session) => (canResume ? session.phase !== 'outside' && session.hasPosition : session !== this.own && (session.isEntered || session.phase === 'exiting')));
    this.#named = new Set(named.map(({ id }) => id));
    return [{
      type: 'send',
      frame: {
        type: 'hello',
        version: 1,
        create: mayCreate && !this.isAdmitted,
        participant: localId,
        participantSecret,
        relayToken,
        incarnation: canResume ? this.#incarnation : this.#formerIncarnation,
        sessions: named.map(({ id, sequence }) => ({ session: id, sequence })),
        pass: this.door.pass,
      },
    }];
  }

  /** Bytes came. @param {number} now */
  heard(now) {
    this.link.heard(now);
  }

  /**
   * The connection is gone, or came to nothing.
   * @param {number} code of the close event; 1006 when there was none
   * @param {number} now
   * @param {number} random from 0 to 1
   * @returns {Effect[]}
   */
  lost(code, now, random) {
    if (this.link.phase === 'closed') return [];
    const { word, consequence } = closeReason(code);
    if (this.link.phase === 'leaving') return this.#close('left');
    if (consequence !== 'resume') return this.#close(this.#closeCode(word));
    this.link.lost(now, random);
    if (!this.isAdmitted && this.link.failures >= firstAttemptsLimit) return this.#close('relay-unreachable');
    for (const session of this.#all) session.interrupt();
    return [{ type: 'link' }];
  }

  /** @param {import('./close-reasons.js').CloseWord} word @returns {HearthErrorCode} */
  #closeCode(word) {
    // A conversation that was known and is no longer has ended.
    if (word === 'unknown-conversation' && this.isAdmitted) return 'conversation-ended';
    return closeCodes[word] ?? 'malformed';
  }

  /** @param {HearthErrorCode} code @returns {Effect[]} */
  #close(code) {
    if (this.link.phase === 'closed') return [];
    this.link.close();
    return [{ type: 'drop' }, { type: 'closed', code }];
  }

  /** What came over the connection cannot be read: nothing that follows can be trusted to be in step. @returns {Effect[]} */
  garbled() {
    return this.#close('malformed');
  }

  /** @param {number} now @returns {Effect[]} */
  retryNow(now) {
    return this.#acts(this.link.retryNow(now), now, 0);
  }

  /** @param {number} now @param {number} random @returns {Effect[]} */
  tick(now, random) {
    const effects = this.#acts(this.link.tick(now), now, random);
    if (this.link.isUp) for (const session of this.#all) effects.push(...session.tick(now));
    return effects;
  }

  /** Says that it goes, for good. @param {number} now @returns {Effect[]} */
  leave(now) {
    if (!this.link.hasGreeted) return this.#close('left');
    this.link.leave(now);
    return [{ type: 'send', frame: { type: 'leave' } }, { type: 'link' }];
  }

  /** @param {import('./link-state.js').LinkAct[]} acts @param {number} now @param {number} random @returns {Effect[]} */
  #acts(acts, now, random) {
    return acts.flatMap((act) => {
      if (act === 'left') return this.#close('left');
      if (act === 'drop') return [{ type: 'drop' }, ...this.lost(1006, now, random)];
      return act === 'open' ? [{ type: act }, { type: 'link' }] : [{ type: act }];
    });
  }

  /** Whether the shell has to open a frame first. @param {Frame} frame */
  mustOpen(frame) {
    if (frame.type === 'door' || frame.type === 'knocking') return true;
    return 'session' in frame && this.session(frame.session)?.mustOpen(frame) === true;
  }

  /** Who seals under this KID. @param {bigint} kid */
  senderOf(kid) {
    const senderId = this.#kids.get(kid);
    const introduction = senderId === undefined ? undefined : this.introductions.get(senderId);
    return senderId !== undefined && introduction ? { senderId, publicKey: introduction.publicKey } : null;
  }

  /**
   * Frames are taken in one by one, in the order in which they came.
   * @param {Frame} frame
   * @param {Opened} opened what `mustOpen` asked for
   * @param {number} now
   * @returns {Effect[]}
   */
  take(frame, opened, now) {
    if (this.link.phase === 'closed' || this.link.phase === 'waiting') return [];
    const isLeaving = this.link.phase === 'leaving';
    if (frame.type === 'welcome') {
      // Who leaves takes no place any more, but what still comes belongs to the incarnation that it names.
      this.#lastWelcome = frame;
      return isLeaving ? [] : this.#welcome(frame, now);
    }
    if (frame.type === 'presence') {
      const present = this.own.present.get(frame.participant);
      if (!present) return [];
      this.own.present.set(frame.participant, { isConnected: frame.isConnected });
      return [{ type: 'participants' }];
    }
    if (frame.type === 'waiting') return isLeaving ? [] : this.#wait(now);
    if (frame.type === 'door') return [...this.#settled(this.door.take(frame, opened), null), { type: 'door' }];
    if (frame.type === 'knocking') return this.door.knocking(frame, opened) ? [{ type: 'knocks' }] : [];
    if (frame.type === 'knocked') return this.door.knocked(frame.participant) ? [{ type: 'knocks' }] : [];
    if (frame.type === 'refused' && frame.frameType === 'setDoor') return this.#settled(this.door.refuse(), frame);
    if (!('session' in frame)) return [];
    const session = this.session(frame.session);
    if (!session) return [];
    return this.#digest(session.take(frame, opened, now, { introduced: this.introductions.keys(), welcome: this.#lastWelcome }));
  }

  /**
   * @param {import('./session-state.js').SessionEffect[]} effects
   * @returns {Effect[]}
   */
  #digest(effects) {
    return effects.flatMap((effect) => {
      if (effect.type === 'send') return this.#ifUp([effect.frame]);
      if (!('session' in effect)) return [effect];
      if (effect.session !== OWN_SESSION) {
        if (effect.type === 'over' && effect.reason === 'ended') this.sessions.delete(effect.session);
        return [effect];
      }
      switch (effect.type) {
        case 'present':
          return [{ type: 'participants' }];
        case 'ledger':
          this.#readOwnLedger();
          return [{ type: 'participants' }, { type: 'announcements' }];
        case 'over':
          return this.#close(ownSessionCodes[effect.reason]);
        default:
          return [];
      }
    });
  }

  #readOwnLedger() {
    for (const { id, kind, makerId, publicKey, value } of this.own.ledger.entries.values()) {
      if (kind === entryKinds.activity && !this.#initiators.has(id)) this.#initiators.set(id, makerId);
      if (kind !== entryKinds.introduction || this.introductions.get(id)?.name === value) continue;
      // Kept after they have left: what they sent before may be taken in later.
      this.introductions.set(id, { publicKey, name: value });
      for (const recordClass of /** @type {const} */ (['record', 'sample'])) {
        const kid = kidOf(id, recordClass);
        if (!this.#kids.has(kid)) this.#kids.set(kid, id);
      }
    }
  }

  /** A member has to let us in. @param {number} now @returns {Effect[]} */
  #wait(now) {
    if (this.link.phase !== 'greeting') return [];
    this.link.knock(now);
    return [{ type: 'send', frame: { type: 'knock', sealed: this.#options.sealedIntroduction } }, { type: 'link' }];
  }

  /** @param {number[]} tokens @param {import('./session-state.js').Refusal | null} refusal @returns {Effect[]} */
  #settled(tokens, refusal) {
    return tokens.map((token) => ({ type: 'settle', token, refusal }));
  }

  /** @param {import('./frames.js').FrameOf<'welcome'>} frame @param {number} now @returns {Effect[]} */
  #welcome(frame, now) {
    const { resumed, incarnation } = frame;
    this.link.welcome(now);
    this.isAdmitted = true;
    if (incarnation !== this.#incarnation) this.#formerIncarnation = this.#incarnation;
    this.#incarnation = incarnation;
    if (!resumed) this.#introduce(null);
    const frames = this.#all.flatMap((session) => session.comeBack(resumed, this.#named.has(session.id), session === this.own));
    this.door.forget();
    return [{ type: 'link' }, { type: 'welcomed' }, { type: 'knocks' }, ...this.#ifUp([...frames, ...this.door.unanswered])];
  }

  /** @param {number | null} token */
  #introduce(token) {
    if (this.own.requests.isPutting(this.localId)) return;
    const sealed = this.#options.sealedIntroduction;
    this.own.requests.add({ type: 'put', session: OWN_SESSION, entry: this.localId, isPresenceBound: true, isBodyComplete: false, bodyLength: 0, sealed }, token);
  }

  /** @param {Frame[]} frames @returns {Effect[]} */
  #ifUp(frames) {
    return this.link.isUp ? frames.map((frame) => ({ type: 'send', frame })) : [];
  }

  /** @param {import('./door-state.js').DoorRequest} frame @param {number} token @returns {Effect[]} */
  setDoor(frame, token) {
    if (this.link.phase === 'closed') return [{ type: 'settle', token, refusal: 'session-invalidated' }];
    this.door.request(frame, token);
    return this.#ifUp([frame]);
  }

  /** While the connection is away nobody is let in; who knocks still will be told anew. @param {string} participant @param {boolean} admits @returns {Effect[]} */
  admit(participant, admits) {
    return this.door.knocks.has(participant) ? this.#ifUp([{ type: 'admit', participant, admits }]) : [];
  }

  /** @param {string} id @returns {Effect[]} */
  enter(id) {
    const session = this.session(id) ?? new SessionState(id, this.localId, isAcceptableInSession);
    this.sessions.set(id, session);
    return session.phase === 'outside' ? this.#ifUp(session.enter()) : [];
  }

  /** @param {string} id @returns {Effect[]} */
  exit(id) {
    const session = this.session(id);
    return !session || session.phase === 'outside' || session.phase === 'exiting' ? [] : this.#ifUp(session.exit());
  }

  /** Ends a session for everyone; who is outside goes in for that. @param {string} id @returns {Effect[]} */
  end(id) {
    const effects = this.enter(id);
    return [...effects, ...this.#ifUp(this.session(id)?.end() ?? [])];
  }

  /**
   * @param {string} id
   * @param {{ counter: number, recipients: string[], sealed: Uint8Array, token: number }} record
   * @returns {Effect[]}
   */
  record(id, { counter, recipients, sealed, token }) {
    const session = this.session(id);
    if (session?.isEntered && this.link.phase !== 'closed') {
      session.records.add({ counter, recipients, sealed, token });
      return this.#ifUp([{ type: 'record', session: id, counter, recipients, sealed }]);
    }
    // Its counter is taken: it goes out first when we enter again.
    session?.records.add({ counter, recipients, sealed, token: null });
    return [{ type: 'settle', token, refusal: 'session-invalidated' }];
  }

  /**
   * @param {import('./requests.js').RequestFrame} frame
   * @param {number} token
   * @returns {Effect[]}
   */
  request(frame, token) {
    const session = this.session(frame.session);
    if (this.link.phase === 'closed' || !session || (session !== this.own && !session.isEntered)) return [{ type: 'settle', token, refusal: 'session-invalidated' }];
    session.requests.add(frame, token);
    return this.#ifUp([frame]);
  }
}
