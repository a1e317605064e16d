// Tells the story of a test: some participants, one relay in memory, and time that passes when nothing else can happen.

import { Conversation, GroupSessionJournal, GroupSessionMessenger } from '../../groupactivities/index.js';
import { VirtualClock } from './clock.js';
import { FakeRelay } from './fake-relay.js';

export const drawing = 'org.example.Drawing';
const origin = 'https://relay.example';

/** A participant as a test holds it: what it has heard and what it sees. */
export class Person {
  /** @type {any[]} */
  heard = [];
  /** @type {readonly import('../../groupactivities/attachment.js').Attachment[]} */
  attachments = [];
  /** @type {import('../../groupactivities/session.js').GroupSession[]} */
  offered = [];

  /** @param {Conversation} conversation */
  constructor(conversation) {
    this.conversation = conversation;
    void this.#collect(conversation.sessions(drawing), (session) => this.offered.push(session));
  }

  /** The session that was offered last. */
  get session() {
    return this.offered[this.offered.length - 1];
  }

  /** Takes part in the session that was offered last. */
  join() {
    const { session } = this;
    this.messenger = new GroupSessionMessenger(session);
    this.journal = new GroupSessionJournal(session);
    void this.#collect(this.messenger.messages(), ({ message, source }) => this.heard.push([source.name, message]));
    void this.#collect(this.journal.attachments, (attachments) => { this.attachments = attachments; });
    session.join();
  }

  /** @template T @param {AsyncIterable<T>} sequence @param {(value: T) => void} take */
  async #collect(sequence, take) {
    for await (const value of sequence) take(value);
  }
}

export class World {
  clock = new VirtualClock();
  relay = new FakeRelay(this.clock);
  environment = {
    WebSocket: this.relay.WebSocket,
    fetch: this.relay.fetch,
    setTimeout: this.clock.setTimeout,
    clearTimeout: this.clock.clearTimeout,
    now: this.clock.now,
    date: () => new Date(0),
    random: () => 0.5,
  };

  /** @param {string} name */
  async create(name) {
    return new Person(await this.clock.wait(Conversation.create({ relay: origin, name, environment: this.environment })));
  }

  /** @param {Person} host @param {string} name */
  async join(host, name) {
    return new Person(await this.clock.wait(Conversation.join(host.conversation.invitation, { name, environment: this.environment })));
  }

  /** Everybody in a conversation, and in one session of it. @param {...string} names */
  async together(...names) {
    const host = await this.create(names[0]);
    const people = [host];
    for (const name of names.slice(1)) people.push(await this.join(host, name));
    await this.clock.wait(host.conversation.activate({ activityIdentifier: drawing, activity: { title: 'Plan' } }));
    await this.until(() => people.every(({ offered }) => offered.length === 1));
    for (const person of people) person.join();
    await this.until(() => people.every(({ session }) => session.activeParticipants.length === people.length));
    return people;
  }

  /** @param {() => unknown} condition */
  until(condition) {
    return this.clock.until(condition);
  }

  /** @template T @param {Promise<T>} promise */
  wait(promise) {
    return this.clock.wait(promise);
  }

  /** @param {Promise<unknown>} promise @returns {Promise<any>} the error that it is rejected with */
  failure(promise) {
    return this.wait(promise.then(() => null, (error) => error));
  }

  get conversation() {
    return [...this.relay.conversations.values()][0];
  }
}

/** Bytes that differ from place to place. @param {number} length */
export function photo(length) {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + (index >> 8)) & 0xff;
  return new Blob([bytes]);
}

/** @param {Blob} left @param {Blob} right */
export async function isSame(left, right) {
  const [a, b] = await Promise.all([left.arrayBuffer(), right.arrayBuffer()]);
  return Buffer.from(a).equals(Buffer.from(b));
}
