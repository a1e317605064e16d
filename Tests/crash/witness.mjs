// A participant that remembers what it said and heard, and notices what is lost or comes twice.

import assert from 'node:assert/strict';

import { GroupSessionJournal, GroupSessionMessenger } from '../../Web/groupactivities/index.js';

/** @typedef {import('../../Web/groupactivities/index.js').Conversation} Conversation */
/** @typedef {{ id: string, bytes: Uint8Array }} Shared */

export class Witness {
  static activity = 'org.example.Crash';

  /** Own attachments that are whole on the relay, so that nothing may take them away. @type {Shared[]} */
  standing = [];
  isGone = false;
  /** Said so far; messages are numbered from 0. */
  #said = 0;
  /** What was asked for and has no answer yet. @type {Set<{ what: () => string }>} */
  #unanswered = new Set();
  /** The next number expected of each sender. @type {Map<string, number>} */
  #next = new Map();
  /** @type {string[]} */
  #complaints = [];
  /** @type {GroupSessionMessenger | null} */
  #messenger = null;
  /** @type {GroupSessionJournal | null} */
  #journal = null;
  /** @type {import('../../Web/groupactivities/session.js').GroupSession | null} */
  #session = null;
  /** @type {readonly import('../../Web/groupactivities/attachment.js').Attachment[]} */
  #attachments = [];

  /** @param {Conversation} conversation */
  constructor(conversation) {
    this.conversation = conversation;
    this.id = conversation.localParticipant.id;
    this.name = conversation.localParticipant.name;
    void this.#live();
  }

  async #live() {
    for await (const session of this.conversation.sessions(Witness.activity)) {
      session.addEventListener('statechange', () => {
        if (session.state === 'invalidated' && !this.isGone) this.#complaints.push(`the session is over: ${session.invalidationReason?.code}`);
      });
      if (this.#session) {
        this.#complaints.push(`the session was offered again: ${this.#session.invalidationReason?.code}`);
        continue;
      }
      this.#session = session;
      this.#messenger = new GroupSessionMessenger(session);
      this.#journal = new GroupSessionJournal(session);
      void this.#listen(this.#messenger);
      void this.#look(this.#journal);
      session.join();
    }
  }

  /** @param {GroupSessionMessenger} messenger */
  async #listen(messenger) {
    for await (const { message, source } of messenger.messages()) {
      const expected = this.#next.get(source.id);
      if (expected !== undefined && message.number !== expected) this.#complaints.push(`of ${source.name}: ${message.number} instead of ${expected}`);
      this.#next.set(source.id, message.number + 1);
    }
  }

  /** @param {GroupSessionJournal} journal */
  async #look(journal) {
    for await (const attachments of journal.attachments) this.#attachments = attachments;
  }

  get isIn() {
    return this.#session?.state === 'joined' && this.#journal?.isComplete === true;
  }

  /** Everything it said, shared or removed has been answered. */
  get isQuiet() {
    return this.#unanswered.size === 0 && this.isIn;
  }

  /** What it sees of everybody's attachments, in order of their names. */
  get seen() {
    return this.#attachments.map(({ id }) => id).sort();
  }

  /** Who has said nothing since we came cannot have been missed. @param {Witness} sender */
  hasHeard(sender) {
    if (sender === this) return true;
    const next = this.#next.get(sender.id);
    return next === undefined ? (sender.#saidBefore.get(this.id) ?? sender.#said) === sender.#said : next === sender.#said;
  }
  /** How much had been said when each of the others was seen first. @type {Map<string, number>} */
  #saidBefore = new Map();

  /** @param {number} length */
  say(length) {
    for (const { id } of this.#session?.activeParticipants ?? []) if (!this.#saidBefore.has(id)) this.#saidBefore.set(id, this.#said);
    if (!this.#messenger) return;
    const number = this.#said;
    this.#said += 1;
    void this.#answered(() => `message ${number}`, this.#messenger.send({ number, text: 'x'.repeat(length) }));
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  async add(bytes) {
    const journal = this.#journal;
    if (!journal) return;
    /** @type {import('../../Web/groupactivities/attachment.js').Attachment | null} */
    let attachment = null;
    const what = () => (attachment ? `attachment ${attachment.id} of ${bytes.length} bytes at ${attachment.progress.bytes}` : `attachment of ${bytes.length} bytes without a place`);
    await this.#answered(what, (async () => {
      attachment = await journal.add(new Blob([bytes]));
      await attachment.uploaded;
      this.standing.push({ id: attachment.id, bytes });
    })());
  }

  /** @param {number} index */
  async remove(index) {
    const [{ id }] = this.standing.splice(index, 1);
    const attachment = this.#attachments.find((each) => each.id === id);
    if (!attachment || !this.#journal) {
      this.#complaints.push('an attachment that stands is not seen by its maker');
      return;
    }
    await this.#answered(() => `removal of ${id}`, this.#journal.remove(attachment));
  }

  /** @param {string} id */
  async load(id) {
    const attachment = this.#attachments.find((each) => each.id === id);
    assert.ok(attachment, `${this.name} does not see ${id}`);
    return new Uint8Array(await (await attachment.load()).arrayBuffer());
  }

  /** @param {() => string} what @param {Promise<unknown>} promise */
  async #answered(what, promise) {
    const question = { what };
    this.#unanswered.add(question);
    try {
      await promise;
    } catch (error) {
      if (!this.isGone) this.#complaints.push(`${what()}: ${error}`);
    }
    this.#unanswered.delete(question);
  }

  async leave() {
    this.isGone = true;
    this.standing = [];
    await this.conversation.leave();
  }

  /** Fails if something was lost, came twice or out of order. */
  check() {
    if (this.conversation.state === 'closed' && !this.isGone) this.#complaints.push(`closed: ${this.conversation.closeReason?.code}`);
    assert.deepEqual(this.#complaints.slice(0, 5), [], this.name);
  }

  toString() {
    return `${this.name}: ${this.conversation.state}, ${this.#session?.state}, said ${this.#said}, sees ${this.seen.length}, heard ${[...this.#next.values()].join(' ')}, waits for ${[...this.#unanswered].map(({ what: ask }) => ask()).join(', ') || 'nothing'}`;
  }
}
