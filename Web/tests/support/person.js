// Participants as a test holds them, and what they share.

import { GroupSessionJournal, GroupSessionMessenger } from '../../groupactivities/index.js';

export const drawing = 'org.example.Drawing';

/** A participant as a test holds it: what it has heard and what it sees. */
export class Person {
  /** @type {any[]} */
  heard = [];
  /** @type {readonly import('../../groupactivities/attachment.js').Attachment[]} */
  attachments = [];
  /** @type {import('../../groupactivities/session.js').GroupSession[]} */
  offered = [];

  /** @param {import('../../groupactivities/index.js').Conversation} conversation */
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
