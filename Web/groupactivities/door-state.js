// How the door stands as this participant knows it, who knocks, and what was asked of it and has no answer yet: a value.

import { areEqual } from './bytes.js';
import { entryKinds } from './entry-sealing.js';
import { limits } from './limits.js';

/** @typedef {import('./frames.js').FrameOf<'setDoor'>} DoorRequest */
/** @typedef {import('./session-state.js').Opened} Opened */
/** `setterId`: null where nobody's signature says what the relay says. @typedef {{ mode: import('./door.js').DoorMode | 'unknown', closesAt: number, setterId: string | null }} KnownDoor */

export class DoorState {
  /** Null: nobody has ever set it. @type {KnownDoor | null} */
  known = null;
  /** What lets past it, of the newest door that a member has sealed. @type {Uint8Array | null} */
  pass;
  /** The names of those who knock, in order. @type {Map<string, string>} */
  knocks = new Map();
  /** @type {{ frame: DoorRequest, token: number }[]} */
  #pending = [];

  /** @param {Uint8Array | null} pass that an earlier participation of the same person was told */
  constructor(pass) {
    this.pass = pass;
  }

  /** A new answer to `hello` follows. */
  forget() {
    this.knocks.clear();
  }

  /** @param {DoorRequest} frame @param {number} token */
  request(frame, token) {
    this.#pending.push({ frame, token });
  }

  get unanswered() {
    return this.#pending.map(({ frame }) => frame);
  }

  /**
   * @param {import('./frames.js').FrameOf<'door'>} frame
   * @param {Opened} opened
   * @returns {number[]} the tokens of those whose door it is
   */
  take({ mode, closesAt, sealed }, opened) {
    const isOurs = opened !== null && opened !== 'failed' && 'makerId' in opened && opened.kind === entryKinds.door && opened.value.mode === mode && opened.value.closesAt === closesAt;
    this.known = { mode, closesAt, setterId: isOurs ? opened.makerId : null };
    if (isOurs) this.pass = opened.value.pass;
    const index = this.#pending.findIndex(({ frame }) => areEqual(frame.sealed, sealed));
    return this.#pending.splice(0, index + 1).map(({ token }) => token);
  }

  /** The relay answers in the order in which it was asked. @returns {number[]} */
  refuse() {
    return this.#pending.splice(0, 1).map(({ token }) => token);
  }

  /**
   * @param {import('./frames.js').FrameOf<'knocking'>} frame
   * @param {Opened} opened
   * @returns {boolean} whether somebody knocks of whom one knows who it is
   */
  knocking({ participant }, opened) {
    const isIntroduced = opened !== null && opened !== 'failed' && 'makerId' in opened && opened.kind === entryKinds.introduction && opened.makerId === participant;
    if (!isIntroduced || this.knocks.size >= limits.knockCountLimit) return false;
    this.knocks.set(participant, opened.value);
    return true;
  }

  /** @param {string} participant */
  knocked(participant) {
    return this.knocks.delete(participant);
  }
}
