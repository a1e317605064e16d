// The door of the relay in memory: who is let in, who has to knock.

import { createHash } from 'node:crypto';

import { limits } from '../../groupactivities/limits.js';

/** @typedef {import('./fake-relay.js').FakeSocket} FakeSocket */
/** @typedef {{ socket: FakeSocket, hello: any, sealed: Uint8Array | null, timer: any }} Knocker */

export class FakeDoor {
  /** What was set last. @type {any} */
  set = null;
  /** @type {Map<string, Knocker>} */
  knockers = new Map();

  /** @param {import('./fake-relay.js').FakeConversation} conversation */
  constructor(conversation) {
    this.conversation = conversation;
    this.clock = conversation.relay.clock;
  }

  get seconds() {
    return Math.floor(this.clock.now() / 1_000);
  }

  /** @param {any} hello @returns {'enters' | 'waits' | number} or the code to close with */
  verdict({ pass }) {
    if (this.set === null || (pass && createHash('sha256').update(pass).digest().equals(this.set.passDigest))) return 'enters';
    if (this.set.closesAt !== 0 && this.set.closesAt <= this.seconds) return 4111;
    if (this.set.mode === 'locked') return 4109;
    return this.set.mode === 'knock' ? 'waits' : 'enters';
  }

  /** What follows a welcome. @param {FakeSocket} socket */
  show(socket) {
    if (this.set === null) return;
    socket.deliver(this.#frame());
    for (const [participant, { sealed }] of this.knockers) if (sealed) socket.deliver({ type: 'knocking', participant, sealed });
  }

  #frame() {
    const { mode, closesAt, sealed } = this.set;
    return /** @type {any} */ ({ type: 'door', mode, closesAt, sealed });
  }

  /** @param {FakeSocket} socket @param {any} hello */
  wait(socket, hello) {
    if (this.knockers.size >= limits.knockCountLimit) return socket.fail(4114);
    const timer = this.clock.setTimeout(() => this.#turnAway(hello.participant, 'unanswered', 4113), limits.knockTimeLimitSeconds * 1_000);
    this.knockers.set(hello.participant, { socket, hello, sealed: null, timer });
    socket.participant = hello.participant;
    socket.conversation = this.conversation;
    socket.deliver({ type: 'waiting', seconds: limits.knockTimeLimitSeconds });
  }

  /** Whether this is somebody who waits. @param {FakeSocket} socket @param {any} frame */
  take(socket, frame) {
    const knocker = this.knockers.get(socket.participant);
    if (knocker?.socket !== socket) return false;
    if (frame.type === 'leave') socket.fail(4000);
    else if (frame.type !== 'knock') socket.fail(4100);
    else if (!knocker.sealed) {
      knocker.sealed = frame.sealed;
      this.#tell({ type: 'knocking', participant: socket.participant, sealed: frame.sealed });
    }
    return true;
  }

  /** @param {any} frame @param {(code: string, limit?: number, value?: number) => void} refuse */
  change(frame, refuse) {
    if (frame.closesAt !== 0 && frame.closesAt <= this.seconds) return refuse('date-out-of-range', this.seconds, frame.closesAt);
    const latest = this.seconds + limits.doorDateLimitSeconds;
    if (frame.closesAt > latest) return refuse('date-out-of-range', latest, frame.closesAt);
    this.set = frame;
    this.#tell(this.#frame());
    for (const [participant, { hello }] of [...this.knockers]) {
      const verdict = this.verdict(hello);
      if (verdict === 'enters') this.answer(participant, true);
      else if (verdict !== 'waits') this.#turnAway(participant, 'gone', verdict);
    }
  }

  /** @param {string} participant @param {boolean} admits */
  answer(participant, admits) {
    const knocker = this.knockers.get(participant);
    if (!knocker?.sealed) return;
    if (!admits) return this.#turnAway(participant, 'declined', 4112);
    this.#end(participant, 'admitted');
    this.conversation.takeIn(knocker.socket, knocker.hello, false);
  }

  /** @param {FakeSocket} socket */
  lost(socket) {
    if (this.knockers.get(socket.participant)?.socket === socket) this.#end(socket.participant, 'gone');
  }

  /** @param {string} participant @param {string} reason @param {number} code */
  #turnAway(participant, reason, code) {
    const socket = this.knockers.get(participant)?.socket;
    this.#end(participant, reason);
    socket?.fail(code);
  }

  /** @param {string} participant @param {string} reason */
  #end(participant, reason) {
    const knocker = this.knockers.get(participant);
    this.knockers.delete(participant);
    this.clock.clearTimeout(knocker?.timer);
    if (knocker?.sealed) this.#tell({ type: 'knocked', participant, reason });
  }

  /** @param {any} frame */
  #tell(frame) {
    for (const { connection } of this.conversation.members.values()) connection?.deliver(frame);
  }
}
