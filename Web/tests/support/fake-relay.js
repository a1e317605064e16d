// A relay in memory that keeps docs/protocol to the letter where participants can tell, with ways to make it fail.

import { decodeFrames, encodeFrame } from '../../groupactivities/frames.js';
import { OWN_SESSION } from '../../groupactivities/identifiers.js';
import { FakeDoor } from './fake-door.js';
import { AttachmentStore } from './fake-attachments.js';

/** @typedef {import('../../groupactivities/frames.js').Frame} Frame */
/** @typedef {{ connection: FakeSocket | null, secret: string, expiry: any }} Member */

export class FakeRelay {
  /** @type {Map<string, FakeConversation>} */
  conversations = new Map();
  incarnation = 1n;
  isDown = false;
  /** @type {FakeSocket[]} */
  sockets = [];
  /** What participants have sent, in order. @type {{ participant: string, frame: Frame }[]} */
  received = [];
  /** What a frame to a participant becomes: another, several, or none (null). @type {(frame: Frame, participant: string) => Frame | Frame[] | null} */
  onWay = (frame) => frame;
  /** Whether somebody's `hello` is heard at all. @type {(participant: string) => boolean} */
  onHello = () => true;
  latencyMilliseconds = 5;
  resumeWindowSeconds = 120;

  /** @param {import('./clock.js').VirtualClock} clock */
  constructor(clock) {
    this.clock = clock;
    this.attachments = new AttachmentStore(this);
    const relay = this;
    this.WebSocket = /** @type {any} */ (class extends FakeSocket {
      /** @param {string} url */
      constructor(url) {
        super(relay, url);
      }
    });
  }

  fetch = (/** @type {string} */ url, /** @type {RequestInit} */ init = {}) => this.attachments.answer(url, init);

  /** Every connection breaks, as when a network goes. */
  cut() {
    for (const socket of this.sockets.splice(0)) socket.fail(1006);
  }

  /** Dies without a word. */
  kill() {
    this.isDown = true;
    this.cut();
    this.attachments.cut();
  }

  /** Comes up again with what was on disk. */
  start() {
    this.isDown = false;
    this.incarnation += 1n;
    for (const conversation of this.conversations.values()) conversation.forget();
  }
}

export class FakeSocket {
  readyState = 0;
  bufferedAmount = 0;
  binaryType = '';
  /** @type {any} */ onopen = null;
  /** @type {any} */ onmessage = null;
  /** @type {any} */ onclose = null;
  participant = '';
  /** @type {FakeConversation | null} */
  conversation = null;

  /** @param {FakeRelay} relay @param {string} url */
  constructor(relay, url) {
    this.relay = relay;
    this.conversationId = /** @type {string} */ (url.split('/').pop());
    this.#later(() => {
      if (relay.isDown) return this.fail(1006);
      this.readyState = 1;
      relay.sockets.push(this);
      this.onopen?.();
      this.#heartbeat();
    });
  }

  #heartbeat() {
    this.relay.clock.setTimeout(() => {
      if (this.readyState !== 1) return;
      this.deliver({ type: 'ping', token: 7n });
      this.#heartbeat();
    }, 10_000);
  }

  /** @param {() => void} action */
  #later(action) {
    this.relay.clock.setTimeout(action, this.relay.latencyMilliseconds);
  }

  /** @param {Uint8Array} bytes */
  send(bytes) {
    const frames = decodeFrames(bytes.slice());
    this.#later(() => {
      if (this.readyState !== 1) return;
      for (const frame of frames) receive(this.relay, this, frame);
    });
  }

  /** @param {Frame} frame */
  deliver(frame) {
    for (const changed of [this.relay.onWay(frame, this.participant) ?? []].flat()) {
      const { buffer } = encodeFrame(changed);
      this.#later(() => { if (this.readyState === 1) this.onmessage?.({ data: buffer }); });
    }
  }

  close() {
    this.fail(1005);
  }

  /** @param {number} code */
  fail(code) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.conversation?.lost(this);
    this.#later(() => this.onclose?.({ code }));
  }
}

/** @param {FakeRelay} relay @param {FakeSocket} socket @param {Frame} frame */
function receive(relay, socket, frame) {
  if (frame.type === 'ping') return socket.deliver({ type: 'pong', token: frame.token });
  if (frame.type === 'pong') return;
  relay.received.push({ participant: socket.participant, frame });
  if (frame.type !== 'hello') return socket.conversation?.take(socket, frame);
  if (!relay.onHello(frame.participant)) return socket.fail(1006);
  let conversation = relay.conversations.get(socket.conversationId);
  if (!conversation && !frame.create) return socket.fail(4104);
  const isNew = !conversation;
  conversation ??= new FakeConversation(relay, socket.conversationId, String(frame.relayToken));
  relay.conversations.set(socket.conversationId, conversation);
  if (conversation.token !== String(frame.relayToken)) return socket.fail(4103);
  conversation.welcome(socket, frame, isNew);
}

class FakeSession {
  sequence = 0;
  /** @type {{ sequence: number, frame: any }[]} */
  log = [];
  /** What each has acknowledged. @type {Map<string, number>} */
  members = new Map();
  /** @type {Map<string, any>} */
  entries = new Map();
}

export class FakeConversation {
  /** @type {Map<string, Member>} */
  members = new Map();
  /** @type {Map<string, FakeSession>} */
  sessions = new Map([[OWN_SESSION, new FakeSession()]]);
  version = 0;
  /** A put answered like this instead. @type {((frame: any) => { code: string, limit: number, value: number } | null)} */
  onPut = () => null;

  /** @param {FakeRelay} relay @param {string} id @param {string} token */
  constructor(relay, id, token) {
    this.relay = relay;
    this.id = id;
    this.token = token;
    this.door = new FakeDoor(this);
  }

  /** The relay has died: logs and people are gone, entries are not. */
  forget() {
    for (const { expiry } of this.members.values()) this.relay.clock.clearTimeout(expiry);
    this.members.clear();
    this.door.knockers.clear();
    for (const session of this.sessions.values()) Object.assign(session, { sequence: 0, log: [], members: new Map() });
  }

  /** @param {FakeSocket} socket @param {any} hello @param {boolean} isNew */
  welcome(socket, hello, isNew) {
    const { participant } = hello;
    const known = this.members.get(participant);
    if (known && known.secret !== hello.participantSecret) return socket.fail(4103);
    const isOurs = hello.incarnation === this.relay.incarnation;
    if (isOurs && !known) return socket.fail(4300);
    const verdict = known ? 'enters' : this.door.verdict(hello);
    if (verdict === 'waits') return this.door.wait(socket, hello);
    if (verdict !== 'enters') return socket.fail(verdict);
    this.takeIn(socket, hello, isNew);
  }

  /** @param {FakeSocket} socket @param {any} hello @param {boolean} isNew */
  takeIn(socket, hello, isNew) {
    const { participant } = hello;
    const known = this.members.get(participant);
    const isOurs = hello.incarnation === this.relay.incarnation;
    const previous = known?.connection;
    this.relay.clock.clearTimeout(known?.expiry);
    this.members.set(participant, { connection: socket, secret: hello.participantSecret, expiry: 0 });
    previous?.fail(4106);
    Object.assign(socket, { participant, conversation: this });
    socket.deliver({ type: 'welcome', version: 1, resumed: isOurs, created: isNew, incarnation: this.relay.incarnation, heartbeatSeconds: 10, silenceSeconds: 30,
      resumeWindowSeconds: this.relay.resumeWindowSeconds, graceSeconds: 60, conversationQuotaBytes: 1e9 });
    this.door.show(socket);
    if (isOurs) {
      for (const [id, session] of this.sessions) {
        const isNamed = hello.sessions.some((/** @type {any} */ named) => named.session === id);
        if (session.members.has(participant) && !isNamed) this.exit(participant, id, 'exited');
      }
      for (const { session, sequence } of hello.sessions) {
        if (!this.sessions.get(session)?.members.has(participant)) {
          const code = this.sessions.has(session) ? 'not-in-session' : 'unknown-session';
          socket.deliver({ type: 'refused', frameType: 'hello', session, subject: OWN_SESSION, counter: 0, code, limit: 0, value: 0 });
        }
        for (const { sequence: place, frame } of this.sessions.get(session)?.log ?? []) if (place > sequence) this.#show(participant, frame);
        if (this.sessions.get(session)?.members.has(participant)) socket.deliver({ type: 'stable', session, sequence: 0 });
      }
    } else {
      this.enter(participant, OWN_SESSION);
      for (const { session } of hello.sessions) if (session !== OWN_SESSION) this.#enterAgain(socket, session);
    }
    this.#presence(participant, true);
  }

  /** After a restart: with all that was ordered since. @param {FakeSocket} socket @param {string} id */
  #enterAgain(socket, id) {
    const session = this.sessions.get(id);
    if (!session) return this.take(socket, { type: 'enter', session: id });
    this.enter(socket.participant, id, 0);
    for (const { frame } of session.log) this.#show(socket.participant, frame);
  }

  /** @param {string} participant @param {boolean} isConnected */
  #presence(participant, isConnected) {
    for (const [id, { connection }] of this.members) if (id !== participant) connection?.deliver({ type: 'presence', participant, isConnected });
  }

  /** @param {FakeSocket} socket */
  lost(socket) {
    this.door.lost(socket);
    const member = this.members.get(socket.participant);
    if (member?.connection !== socket) return;
    member.connection = null;
    member.expiry = this.relay.clock.setTimeout(() => this.leave(socket.participant, 'away'), this.relay.resumeWindowSeconds * 1000);
    this.#presence(socket.participant, false);
  }

  /** @param {string} participant @param {'left' | 'away'} reason */
  leave(participant, reason) {
    for (const [id, session] of this.sessions) if (session.members.has(participant)) this.exit(participant, id, reason);
    this.members.delete(participant);
    for (const [id, session] of this.sessions) {
      for (const [entry, { frame }] of [...session.entries]) {
        if (frame.putter === participant && (frame.isPresenceBound || (frame.bodyLength > 0 && !frame.isBodyComplete))) this.removeEntry(id, entry, participant, 'putter-left');
      }
    }
  }

  /** @param {string} participant @param {any} frame */
  #show(participant, frame) {
    const isHidden = frame.type === 'ordered' && frame.recipients.length > 0 && frame.sender !== participant && !frame.recipients.includes(participant);
    const { session, sequence, sender, counter } = frame;
    this.members.get(participant)?.connection?.deliver(isHidden ? { type: 'skipped', session, sequence, sender, counter } : frame);
  }

  /** @param {string} id @param {any} frame @param {string[]} [others] who hears it besides those who are in */
  #order(id, frame, others = []) {
    const session = /** @type {FakeSession} */ (this.sessions.get(id));
    session.sequence += 1;
    const placed = { ...frame, session: id, sequence: session.sequence };
    session.log.push({ sequence: session.sequence, frame: placed });
    for (const member of new Set([...session.members.keys(), ...others])) this.#show(member, placed);
    return placed;
  }

  /** @param {string} participant @param {string} id @param {number} [from] */
  enter(participant, id, from) {
    const session = /** @type {FakeSession} */ (this.sessions.get(id));
    if (!session.members.has(participant)) {
      this.#order(id, { type: 'entered', participant });
      session.members.set(participant, from ?? session.sequence);
    }
    const connection = this.members.get(participant)?.connection;
    const participants = [...session.members.keys()].map((each) => ({ participant: each, isConnected: Boolean(this.members.get(each)?.connection) }));
    connection?.deliver({ type: 'position', session: id, sequence: from ?? session.sequence, participants });
    for (const { frame } of [...session.entries.values()].sort((a, b) => a.frame.version - b.frame.version)) connection?.deliver({ ...frame, sequence: 0 });
    connection?.deliver({ type: 'complete', session: id, sequence: session.sequence });
  }

  /** @param {string} participant @param {string} id @param {'exited' | 'left' | 'away'} reason */
  exit(participant, id, reason) {
    this.#order(id, { type: 'exited', participant, reason });
    this.sessions.get(id)?.members.delete(participant);
  }

  /** @param {string} id @param {string} entry @param {string} remover @param {'removed' | 'putter-left' | 'session-ended'} reason */
  removeEntry(id, entry, remover, reason) {
    this.sessions.get(id)?.entries.delete(entry);
    this.relay.attachments.erase(this.id, id, entry);
    this.#order(id, { type: 'removed', remover, entry, reason });
  }

  /** @param {FakeSocket} socket @param {any} frame */
  take(socket, frame) {
    const { participant } = socket;
    if (this.door.take(socket, frame)) return;
    const session = this.sessions.get(frame.session ?? OWN_SESSION);
    const refuse = (/** @type {any} */ code, limit = 0, value = 0) =>
      socket.deliver({ type: 'refused', frameType: frame.type, session: frame.session ?? OWN_SESSION, subject: frame.entry ?? OWN_SESSION, counter: frame.counter ?? 0, code, limit, value });
    if (frame.type === 'leave') {
      this.leave(participant, 'left');
      return socket.fail(4000);
    }
    if (frame.type === 'setDoor') return this.door.change(frame, refuse);
    if (frame.type === 'admit') return this.door.answer(frame.participant, frame.admits);
    if (frame.type === 'enter') {
      if (frame.session !== OWN_SESSION && !this.sessions.get(OWN_SESSION)?.entries.has(frame.session)) return refuse('unknown-session');
      if (!session) this.sessions.set(frame.session, new FakeSession());
      return this.enter(participant, frame.session);
    }
    if (!session) return frame.type === 'acknowledge' ? undefined : refuse('unknown-session');
    if (!session.members.has(participant)) return frame.type === 'acknowledge' ? undefined : refuse('not-in-session');
    this.#takeInSession(socket, session, frame, refuse);
  }

  /** @param {FakeSocket} socket @param {FakeSession} session @param {any} frame @param {(code: string, limit?: number, value?: number) => void} refuse */
  #takeInSession({ participant }, session, frame, refuse) {
    switch (frame.type) {
      case 'exit':
        return this.exit(participant, frame.session, 'exited');
      case 'end':
        this.#order(frame.session, { type: 'ended', participant, reason: 'participant' });
        this.sessions.delete(frame.session);
        return this.removeEntry(OWN_SESSION, frame.session, participant, 'session-ended');
      case 'record':
        this.#order(frame.session, { type: 'ordered', sender: participant, counter: frame.counter, recipients: frame.recipients, sealed: frame.sealed });
        return;
      case 'sample':
        for (const member of session.members.keys()) {
          if (member !== participant && (frame.recipients.length === 0 || frame.recipients.includes(member))) {
            this.members.get(member)?.connection?.deliver({ ...frame, type: 'sampled', sender: participant });
          }
        }
        return;
      case 'put': {
        const refusal = this.onPut(frame);
        if (refusal) return refuse(refusal.code, refusal.limit, refusal.value);
        const missing = this.relay.attachments.missing(this.id, frame.session, frame.entry, frame.bodyLength);
        if (frame.isBodyComplete && missing.length > 0) return refuse('body-incomplete', 0, 0);
        this.version += 1;
        const placed = this.#order(frame.session, { ...frame, type: 'entry', version: this.version, putter: participant });
        session.entries.set(frame.entry, { frame: placed });
        return;
      }
      case 'remove':
        if (!session.entries.has(frame.entry)) return refuse('unknown-entry');
        return this.removeEntry(frame.session, frame.entry, participant, 'removed');
      case 'acknowledge': {
        const before = Math.min(...session.members.values());
        session.members.set(participant, frame.sequence);
        const after = Math.min(...session.members.values());
        if (after > before) for (const member of session.members.keys()) this.members.get(member)?.connection?.deliver({ type: 'stable', session: frame.session, sequence: after });
      }
    }
  }
}
