// One session as a participant follows it: places, counters, who is there, what is owed. A value: it takes frames and returns effects.

import { Divergences } from './divergences.js';
import { Ledger } from './ledger.js';
import { LogChain } from './log-chain.js';
import { linkOf } from './log-link.js';
import { recordKinds } from './record-sealing.js';
import { OWN_SESSION } from './identifiers.js';
import { ReplayWindow } from './replay-window.js';
import { Requests } from './requests.js';
import { SenderCounters } from './sender-counters.js';
import { UnstableRecords } from './unstable-records.js';

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./frames.js').FrameOf<'refused'>} Refusal */
/** Frames that have a place. @typedef {Extract<Frame, { type: 'entered' | 'exited' | 'ended' | 'ordered' | 'skipped' | 'removed' | 'entry' }>} LoggedFrame */
/**
 * `told`: what became of comparing the log behind `from` up to `to` with what its sender has seen.
 * @typedef {{ senderId: string, counter: number, kind: number, payload: Uint8Array, told?: { incarnation: bigint, from: number, to: number, verdict: import('./log-stretch.js').Verdict } }} OpenedRecord
 */
/** What a sealed frame held, as the shell found it; `failed`: it does not open. @typedef {OpenedRecord | import('./ledger.js').OpenedEntry | 'failed' | null} Opened */
/**
 * @typedef {{ type: 'send', frame: Frame }
 *   | { type: 'settle', token: number, refusal: Refusal | 'session-invalidated' | null }
 *   | { type: 'message', session: string, isReliable: boolean, senderId: string, kind: number, payload: Uint8Array }
 *   | { type: 'joined' | 'exited' | 'present' | 'ledger' | 'position-due', session: string }
 *   | { type: 'diverged', session: string, senderId: string }
 *   | { type: 'over', session: string, reason: 'left' | 'away' | 'ended' | 'gap' | 'tampered' | 'refused' }} SessionEffect
 */

const acknowledgeAfterFrames = 64;
const acknowledgeAfterBytes = 1_048_576;
const acknowledgeAfterMilliseconds = 1_000;

export class SessionState {
  /** `entering` until there is a position, `syncing` until the ledger is whole. @type {'outside' | 'entering' | 'syncing' | 'inside' | 'exiting'} */
  phase = 'outside';
  /** The last place taken in. */
  sequence = 0;
  /** There is a place in this incarnation, so that `hello` can name it. */
  hasPosition = false;
  /** Who is in the session, in order of coming. @type {Map<string, { isConnected: boolean }>} */
  present = new Map();
  /** Samples that did not open or came twice. */
  droppedSampleCount = 0;
  records = new UnstableRecords();
  requests = new Requests();
  divergences = new Divergences();
  #counters = new SenderCounters();
  /** @type {Map<string, ReplayWindow>} */
  #windows = new Map();
  /** Who was in the conversation when we entered. @type {Set<string>} */
  #elders = new Set();
  #isEnding = false;
  /** The connection has been resumed, and what was missed is not all in. */
  #isCatchingUp = false;
  #unacknowledged = { frames: 0, bytes: 0 };
  #unacknowledgedSince = Infinity;
  #isAcceptable;

  /** Somebody else has spoken, so that nobody can say that there is nobody. */
  #hasHeardSomebody = false;

  /**
   * @param {string} id
   * @param {string} localId
   * @param {ConstructorParameters<typeof Ledger>[0]} isAcceptable
   */
  constructor(id, localId, isAcceptable) {
    this.id = id;
    this.localId = localId;
    this.chain = new LogChain(localId);
    this.#isAcceptable = isAcceptable;
    this.ledger = new Ledger(isAcceptable);
  }

  get isEntered() {
    return this.phase === 'syncing' || this.phase === 'inside';
  }

  /** When an acknowledgement is due, in milliseconds. */
  get acknowledgeAt() {
    return this.#unacknowledgedSince + acknowledgeAfterMilliseconds;
  }

  /** When it is due to say how far we have come, in milliseconds. */
  get positionAt() {
    return this.phase === 'inside' && this.id !== OWN_SESSION ? this.chain.positionAt : Infinity;
  }

  get #isAlone() {
    return this.present.size === (this.present.has(this.localId) ? 1 : 0) && !this.#hasHeardSomebody;
  }

  /** @returns {Frame[]} */
  enter() {
    this.phase = 'entering';
    this.hasPosition = false;
    this.chain.end();
    this.divergences = new Divergences();
    this.present = new Map();
    this.ledger = new Ledger(this.#isAcceptable);
    this.#counters.rebase();
    this.#elders = new Set();
    return [{ type: 'enter', session: this.id }, ...this.#unplacedRecords()];
  }

  /** @returns {Frame[]} */
  exit() {
    this.phase = 'exiting';
    return [{ type: 'exit', session: this.id }];
  }

  /** @returns {Frame[]} */
  end() {
    this.#isEnding = true;
    return [{ type: 'end', session: this.id }];
  }

  /** The connection is lost. */
  interrupt() {
    this.#isCatchingUp = false;
    this.ledger.interrupt();
  }

  /**
   * A new connection stands. What is still owed goes out again.
   * @param {boolean} isResumed
   * @param {boolean} wasNamed in `hello`
   * @param {boolean} isOwn
   * @returns {Frame[]}
   */
  comeBack(isResumed, wasNamed, isOwn) {
    if (!isResumed) {
      this.records.displace();
      this.chain.end();
      this.hasPosition = false;
      // A place of an earlier incarnation, acknowledged to this one, would say that more is in than is: the log would be dropped before it is.
      this.#owesNoAcknowledgement();
    }
    if (this.phase === 'outside') return [];
    this.#isCatchingUp = isResumed;
    // A ledger that was cut off is asked for anew. Into the own session the relay itself puts whoever is not resumed.
    const mustEnter = isResumed ? !wasNamed || this.phase === 'syncing' : !wasNamed && !isOwn;
    if (!isResumed && this.phase === 'inside') this.phase = 'syncing';
    /** @type {Frame[]} */
    const frames = mustEnter ? [{ type: 'enter', session: this.id }] : [];
    frames.push(...this.#unplacedRecords(), ...this.requests.frames());
    if (this.phase === 'exiting') frames.push({ type: 'exit', session: this.id });
    if (this.#isEnding) frames.push({ type: 'end', session: this.id });
    return frames;
  }

  /** @returns {Frame[]} */
  #unplacedRecords() {
    return this.records.unplaced().map(({ counter, recipients, sealed }) => ({ type: 'record', session: this.id, counter, recipients, sealed }));
  }

  /** Whether a frame has to be opened before it is taken in. @param {Frame} frame */
  mustOpen(frame) {
    switch (frame.type) {
      case 'entry':
        return this.phase !== 'outside' && (frame.sequence === 0 || frame.sequence > this.sequence)
          && frame.version > (this.ledger.entries.get(frame.entry)?.version ?? -1);
      case 'ordered':
        return this.isEntered && frame.sequence > this.sequence && frame.sender !== this.localId && this.#isForUs(frame.recipients);
      case 'sampled':
        return this.isEntered && frame.sender !== this.localId && this.#isForUs(frame.recipients);
      default:
        return false;
    }
  }

  /** @param {string[]} recipients */
  #isForUs(recipients) {
    return recipients.length === 0 || recipients.includes(this.localId);
  }

  /**
   * @param {Frame} frame of this session
   * @param {Opened} opened
   * @param {number} now
   * @param {{ introduced: Iterable<string>, welcome: import('./frames.js').FrameOf<'welcome'> | null }} around everybody whose introduction is known; the last welcome
   * @returns {SessionEffect[]}
   */
  take(frame, opened, now, { introduced, welcome }) {
    switch (frame.type) {
      case 'position':
        if (welcome && this.id !== OWN_SESSION) this.#follow(welcome, frame.sequence, now);
        return this.#position(frame, introduced, now);
      case 'complete':
        return this.#complete();
      case 'stable':
        this.records.stable(frame.sequence);
        return this.#caughtUp();
      case 'sampled':
        return this.#sampled(opened);
      case 'refused':
        return this.#refused(frame);
      case 'entry':
        if (frame.sequence === 0) return this.hasPosition ? this.#entry(frame, opened) : [];
        break;
      case 'entered':
      case 'exited':
      case 'ended':
      case 'ordered':
      case 'skipped':
      case 'removed':
        break;
      default:
        return [];
    }
    // Before the position there is no place to compare with: that frame belongs to an earlier stay.
    if (!this.hasPosition || frame.sequence <= this.sequence) return [];
    // Who is on the way out waits for the end of it, whatever is missing before.
    if (frame.sequence > this.sequence + 1 && this.phase !== 'exiting') return this.fail('gap');
    this.sequence = frame.sequence;
    this.#unacknowledged.frames += 1;
    this.#unacknowledged.bytes += 'sealed' in frame ? frame.sealed.length : 0;
    this.#unacknowledgedSince = Math.min(this.#unacknowledgedSince, now);
    const wasAlone = this.#isAlone;
    const effects = this.#logged(frame, opened, now);
    this.#link(frame, opened, now, wasAlone);
    return [...effects, ...this.#acknowledge(now)];
  }

  /**
   * @param {LoggedFrame} frame
   * @param {Opened} opened
   * @param {number} now
   * @returns {SessionEffect[]}
   */
  #logged(frame, opened, now) {
    switch (frame.type) {
      case 'entered':
        this.present.set(frame.participant, { isConnected: true });
        return [{ type: 'present', session: this.id }];
      case 'exited':
        if (frame.participant === this.localId) return this.#outside(frame.reason === 'away' ? 'away' : 'left');
        this.present.delete(frame.participant);
        if (this.present.size <= 1) this.#hasHeardSomebody = false;
        return [{ type: 'present', session: this.id }];
      case 'ended':
        return this.#outside('ended');
      case 'entry':
        return this.#entry(frame, opened);
      case 'removed': {
        const settled = this.#settled(this.requests.answerRemove(frame.entry));
        return this.ledger.remove(frame.entry) ? [...settled, { type: 'ledger', session: this.id }] : settled;
      }
      case 'skipped':
        return this.#counted(frame.sender, frame.counter).effects;
      case 'ordered':
        return this.#ordered(frame, opened, now);
    }
  }

  /**
   * @param {import('./frames.js').FrameOf<'ordered'>} frame
   * @param {Opened} opened
   * @param {number} now
   * @returns {SessionEffect[]}
   */
  #ordered(frame, opened, now) {
    if (frame.sender === this.localId) {
      const token = this.records.place(frame.counter, frame.sequence);
      return token === null ? [] : this.#settled([token]);
    }
    if (!this.isEntered) return [];
    if (!this.#isForUs(frame.recipients)) return this.#counted(frame.sender, frame.counter).effects;
    if (opened === null || opened === 'failed' || !('senderId' in opened)) return this.fail('tampered');
    const { senderId, counter, kind, payload } = opened;
    this.#hasHeardSomebody = true;
    const { isNext, effects } = this.#counted(senderId, counter);
    // A repeat says the same again, unless another was passed off as having its counter.
    if (!isNext) return effects.length === 0 && opened.told?.verdict === 'different' ? this.#compare(opened, false, now) : effects;
    const found = this.#compare(opened, frame.recipients.length === 0, now);
    return kind === recordKinds.position ? found : [...found, { type: 'message', session: this.id, isReliable: true, senderId, kind, payload }];
  }

  /**
   * @param {string} senderId
   * @param {number} counter
   * @returns {{ isNext: boolean, effects: SessionEffect[] }}
   */
  #counted(senderId, counter) {
    if (senderId === this.localId || !this.isEntered) return { isNext: false, effects: [] };
    const verdict = this.#counters.judge(senderId, counter, this.#elders.has(senderId));
    if (verdict === 'gap') return { isNext: false, effects: this.fail('gap') };
    if (verdict === 'duplicate') return { isNext: false, effects: [] };
    this.#counters.accept(senderId, counter);
    return { isNext: true, effects: [] };
  }

  /**
   * @param {import('./frames.js').FrameOf<'welcome'>} welcome
   * @param {number} place
   * @param {number} now
   */
  #follow({ incarnation, resumeWindowSeconds }, place, now) {
    this.#hasHeardSomebody = false;
    this.chain.begin(incarnation, place);
    this.divergences.begin(resumeWindowSeconds, now);
  }

  /**
   * @param {OpenedRecord} record
   * @param {boolean} isForAll
   * @param {number} now
   * @returns {SessionEffect[]}
   */
  #compare({ senderId, told }, isForAll, now) {
    if (!told) return [];
    if (told.verdict === 'same' && isForAll) this.chain.vouch(told, now);
    if (!this.divergences.weigh(told.verdict, senderId, now)) return [];
    this.chain.contradict(told, now);
    return [{ type: 'diverged', session: this.id, senderId }];
  }

  /**
   * @param {LoggedFrame} frame
   * @param {Opened} opened
   * @param {number} now
   * @param {boolean} wasAlone
   */
  #link(frame, opened, now, wasAlone) {
    const record = frame.type === 'ordered' && opened !== null && opened !== 'failed' && 'senderId' in opened ? opened : null;
    const isOwnRecord = 'sender' in frame && frame.sender === this.localId;
    this.chain.add(linkOf(frame, record), !isOwnRecord && record?.kind !== recordKinds.position, now);
    if (frame.type === 'entered') {
      this.divergences.came(frame.participant, now);
      if (wasAlone) this.chain.beginAnew();
    } else if (frame.type === 'exited') {
      this.divergences.went(frame.participant);
    }
  }

  /** @param {Opened} opened @returns {SessionEffect[]} */
  #sampled(opened) {
    if (opened === null || !this.isEntered) return [];
    if (opened !== 'failed' && 'senderId' in opened && opened.kind !== recordKinds.position) {
      const { senderId, counter, kind, payload } = opened;
      const window = this.#windows.get(senderId) ?? new ReplayWindow();
      this.#windows.set(senderId, window);
      if (window.accept(counter)) return [{ type: 'message', session: this.id, isReliable: false, senderId, kind, payload }];
    }
    this.droppedSampleCount += 1;
    return [];
  }

  /**
   * @param {import('./frames.js').FrameOf<'position'>} frame
   * @param {Iterable<string>} introduced
   * @param {number} now
   * @returns {SessionEffect[]}
   */
  #position({ sequence, participants }, introduced, now) {
    if (this.phase === 'outside') return [];
    const isFirst = this.phase === 'entering';
    if (isFirst) this.#elders = new Set(introduced);
    if (this.phase !== 'exiting') this.phase = 'syncing';
    this.hasPosition = true;
    this.sequence = sequence;
    this.#owesNoAcknowledgement();
    // The relay has kept what came before it, in case that it would not arrive.
    if (!isFirst) this.#unacknowledgedSince = now;
    this.ledger.beginSnapshot();
    this.present = new Map(participants.map(({ participant, isConnected }) => [participant, { isConnected }]));
    /** @type {SessionEffect[]} */
    const effects = [{ type: 'present', session: this.id }, { type: 'ledger', session: this.id }];
    return isFirst ? [{ type: 'joined', session: this.id }, ...effects] : effects;
  }

  /** The first `stable` of a resumed connection stands behind everything that was missed. @returns {SessionEffect[]} */
  #caughtUp() {
    if (!this.#isCatchingUp) return [];
    this.#isCatchingUp = false;
    this.ledger.resume();
    return [{ type: 'ledger', session: this.id }];
  }

  /** @returns {SessionEffect[]} */
  #complete() {
    if (!this.hasPosition || this.phase === 'outside') return [];
    if (this.phase === 'syncing') this.phase = 'inside';
    this.ledger.completeSnapshot();
    return [{ type: 'ledger', session: this.id }];
  }

  /**
   * @param {import('./frames.js').FrameOf<'entry'>} frame
   * @param {Opened} opened
   * @returns {SessionEffect[]}
   */
  #entry(frame, opened) {
    const content = opened !== null && opened !== 'failed' && 'makerId' in opened ? opened : null;
    const isChanged = this.ledger.put(frame.entry, frame, content, frame.sequence === 0);
    const settled = this.#settled(frame.putter === this.localId ? this.requests.answerPut(frame.entry, frame.sealed) : []);
    // The ledger first: who is told that its entry has a place looks it up there.
    return isChanged ? [{ type: 'ledger', session: this.id }, ...settled] : settled;
  }

  /** @param {Refusal} refusal @returns {SessionEffect[]} */
  #refused(refusal) {
    const { frameType, subject, counter, code } = refusal;
    if (code === 'unknown-session' && this.phase !== 'outside') return this.#outside('ended');
    switch (frameType) {
      case 'enter':
        return this.phase === 'entering' ? this.#outside('refused', refusal) : [];
      case 'exit':
        return this.phase === 'exiting' ? this.#outside('left') : [];
      case 'hello':
        // The relay has heard us go, or the session has ended and another has begun under its name, in which we have no place.
        return this.phase === 'outside' ? [] : this.#outside(this.phase === 'exiting' ? 'left' : 'ended');
      case 'end':
        this.#isEnding = false;
        // The session goes on without us: whoever ends one is done with it.
        return code === 'storage-failed' && this.isEntered ? this.exit().map((frame) => ({ type: 'send', frame })) : [];
      case 'remove': {
        const tokens = this.requests.refuse('remove', subject);
        return this.#settled(tokens, code === 'unknown-entry' ? null : refusal);
      }
      case 'put':
        return this.#settled(this.requests.refuse('put', subject), refusal);
      case 'record': {
        // Not in the session: it stays owed, for the others count on its counter when we come again.
        const token = code === 'not-in-session' ? this.records.detach(counter) : this.records.refuse(counter);
        const settled = this.#settled(token === null ? [] : [token], refusal);
        // The others would miss that counter: nothing we send after it could be taken in.
        return this.isEntered ? [...settled, ...this.fail('gap')] : settled;
      }
      default:
        return [];
    }
  }

  /**
   * Nothing that follows can be trusted to be whole: leave, and say why.
   * @param {'gap' | 'tampered'} reason
   * @returns {SessionEffect[]}
   */
  fail(reason) {
    if (!this.isEntered) return [];
    return [{ type: 'over', session: this.id, reason }, .../** @type {SessionEffect[]} */ (this.exit().map((frame) => ({ type: 'send', frame })))];
  }

  /**
   * @param {'left' | 'away' | 'ended' | 'refused' | 'gap'} reason
   * @param {Refusal} [refusal]
   * @returns {SessionEffect[]}
   */
  #outside(reason, refusal) {
    this.phase = 'outside';
    this.hasPosition = false;
    this.#isEnding = false;
    this.#owesNoAcknowledgement();
    const tokens = [...this.records.abandon(), ...this.requests.abandon()];
    return [
      ...this.#settled(tokens, refusal ?? 'session-invalidated'),
      { type: 'over', session: this.id, reason },
      { type: 'exited', session: this.id },
    ];
  }

  /** @param {number} now @returns {SessionEffect[]} */
  tick(now) {
    const acknowledgements = now >= this.acknowledgeAt ? this.#acknowledge(now) : [];
    if (now < this.positionAt) return acknowledgements;
    if (this.#isAlone) {
      this.chain.beginAnew();
      return acknowledgements;
    }
    this.chain.postpone(now);
    return [...acknowledgements, { type: 'position-due', session: this.id }];
  }

  #owesNoAcknowledgement() {
    this.#unacknowledged = { frames: 0, bytes: 0 };
    this.#unacknowledgedSince = Infinity;
  }

  /** @param {number} now @returns {SessionEffect[]} */
  #acknowledge(now) {
    const { frames, bytes } = this.#unacknowledged;
    const isDue = frames >= acknowledgeAfterFrames || bytes >= acknowledgeAfterBytes || now >= this.acknowledgeAt;
    if (this.phase === 'outside' || !isDue) return [];
    this.#owesNoAcknowledgement();
    return [{ type: 'send', frame: { type: 'acknowledge', session: this.id, sequence: this.sequence } }];
  }

  /**
   * @param {number[]} tokens
   * @param {Refusal | 'session-invalidated' | null} [refusal]
   * @returns {SessionEffect[]}
   */
  #settled(tokens, refusal = null) {
    return tokens.map((token) => ({ type: 'settle', token, refusal }));
  }
}
