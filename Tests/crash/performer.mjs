// A participant that does what it is told and tells what it hears and sees: the JavaScript client in node or in a page; `Performer/` is the same in Swift.

import { Conversation, GroupSessionJournal, GroupSessionMessenger, HearthError, Invitation } from '../../Web/groupactivities/index.js';

/** @typedef {import('../../Web/groupactivities/attachment.js').Attachment} Attachment */
/** @typedef {import('../../Web/groupactivities/session.js').GroupSession} GroupSession */
/**
 * One of the things a performer can be told, with the number under which it is answered.
 * @typedef {{ do: 'create' | 'join' | 'say' | 'add' | 'remove' | 'load' | 'leave', ask: number, relay?: string, link?: string, name?: string, number?: number, length?: number, seed?: number, id?: string }} Order
 */
/**
 * `answered`: an order is done, or failed for a reason. `standing`: whether it is connected, and in the session with the whole journal. `met`: somebody was there for the first time before message
 * `number` was said. `heard`, `sees`: messages and attachments. `people`: who is in the conversation, and who of them is away. `complaint`: what must not happen.
 * @typedef {{ event: 'answered' | 'standing' | 'met' | 'heard' | 'sees' | 'people' | 'complaint', ask?: number, error?: string, link?: string, id?: string, number?: number, from?: string,
 *   ids?: string[], away?: string[], isConnected?: boolean, isIn?: boolean, text?: string }} Told
 */

export const activityIdentifier = 'org.example.Crash';

/** What an attachment holds: the same in each language. @param {number} length @param {number} seed */
export function content(length, seed) {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) bytes[index] = index * 31 + seed;
  return bytes;
}

export class Performer {
  #tell;
  #environment;
  /** @type {Conversation | null} */
  #conversation = null;
  /** @type {GroupSession | null} */
  #session = null;
  /** @type {GroupSessionMessenger | null} */
  #messenger = null;
  /** @type {GroupSessionJournal | null} */
  #journal = null;
  /** @type {readonly Attachment[]} */
  #attachments = [];
  /** @type {Set<string>} */
  #met = new Set();
  #lastStanding = '';
  #isGone = false;

  /** @param {(told: Told) => void} tell @param {Partial<import('../../Web/groupactivities/environment.js').Environment>} [environment] */
  constructor(tell, environment) {
    this.#tell = tell;
    this.#environment = environment;
  }

  /** @param {Order} order */
  async obey(order) {
    try {
      this.#tell({ event: 'answered', ask: order.ask, ...await this.#perform(order) });
    } catch (error) {
      this.#tell({ event: 'answered', ask: order.ask, error: error instanceof HearthError ? `${error.code}: ${error.message}` : String(error) });
    }
  }

  /** @param {Order} order @returns {Promise<Partial<Told>>} */
  async #perform(order) {
    switch (order.do) {
      case 'create':
        await this.#live(await Conversation.create({ relay: String(order.relay), name: String(order.name), environment: this.#environment }));
        await this.#conversation?.activate({ activityIdentifier });
        return { link: this.#conversation?.invitation.link, id: this.#conversation?.localParticipant.id };
      case 'join':
        await this.#live(await Conversation.join(Invitation.parse(String(order.link)), { name: String(order.name), environment: this.#environment }));
        return { id: this.#conversation?.localParticipant.id };
      case 'say':
        this.#meet(Number(order.number));
        if (!this.#messenger) throw new Error('there is no session');
        await this.#messenger.send({ number: order.number, text: 'x'.repeat(Number(order.length)) });
        return {};
      case 'add':
        return this.#add(order);
      case 'remove':
        if (!this.#journal) throw new Error('there is no journal');
        await this.#journal.remove(this.#attachment(order));
        return {};
      case 'load':
        return this.#load(order);
      case 'leave':
        this.#isGone = true;
        await this.#conversation?.leave();
        return {};
    }
  }

  /** @param {Conversation} conversation */
  async #live(conversation) {
    this.#conversation = conversation;
    conversation.addEventListener('statechange', () => this.#stood());
    conversation.addEventListener('participantschange', () => this.#look());
    this.#look();
    void this.#follow(conversation);
  }

  /** @param {Conversation} conversation */
  async #follow(conversation) {
    for await (const session of conversation.sessions(activityIdentifier)) {
      session.addEventListener('statechange', () => {
        if (session.state === 'invalidated' && !this.#isGone) this.#complain(`the session is over: ${session.invalidationReason?.code}`);
        this.#stood();
      });
      session.addEventListener('divergence', () => this.#complain(`${session.divergentParticipants.map(({ name }) => name).join(', ')} is shown another log`));
      if (this.#session) {
        this.#complain(`the session was offered again: ${this.#session.invalidationReason?.code}`);
        continue;
      }
      this.#session = session;
      this.#messenger = new GroupSessionMessenger(session);
      this.#journal = new GroupSessionJournal(session);
      this.#journal.addEventListener('completechange', () => this.#stood());
      void this.#listen(this.#messenger);
      void this.#see(this.#journal);
      session.join();
    }
    if (!this.#isGone) this.#complain(`closed: ${conversation.closeReason?.code}`);
  }

  /** @param {GroupSessionMessenger} messenger */
  async #listen(messenger) {
    for await (const { message, source } of messenger.messages()) this.#tell({ event: 'heard', from: source.id, number: message.number });
  }

  /** @param {GroupSessionJournal} journal */
  async #see(journal) {
    for await (const attachments of journal.attachments) {
      this.#attachments = attachments;
      this.#tell({ event: 'sees', ids: attachments.map(({ id }) => id) });
    }
  }

  #stood() {
    const standing = { isConnected: this.#conversation?.state === 'connected', isIn: this.#session?.state === 'joined' && this.#journal?.isComplete === true };
    if (JSON.stringify(standing) === this.#lastStanding) return;
    this.#lastStanding = JSON.stringify(standing);
    this.#tell({ event: 'standing', ...standing });
  }

  #look() {
    const people = this.#conversation?.participants ?? [];
    this.#tell({ event: 'people', ids: people.map(({ id }) => id), away: people.filter(({ isAway }) => isAway).map(({ id }) => id) });
    this.#stood();
  }

  /** @param {number} number */
  #meet(number) {
    for (const { id } of this.#session?.activeParticipants ?? []) {
      if (this.#met.has(id)) continue;
      this.#met.add(id);
      this.#tell({ event: 'met', id, number });
    }
  }

  /** @param {Order} order */
  async #add({ length, seed }) {
    const attachment = await this.#journal?.add(new Blob([content(Number(length), Number(seed))]));
    if (!attachment) throw new Error('there is no journal');
    await attachment.uploaded;
    return { id: attachment.id };
  }

  /** @param {Order} order */
  async #load(order) {
    const bytes = new Uint8Array(await (await this.#attachment(order).load()).arrayBuffer());
    const expected = content(Number(order.length), Number(order.seed));
    if (bytes.length !== expected.length || bytes.some((byte, index) => byte !== expected[index])) throw new Error(`${order.id} holds other bytes than were shared`);
    return {};
  }

  /** @param {Order} order */
  #attachment({ id }) {
    const attachment = this.#attachments.find((each) => each.id === id);
    if (!attachment) throw new Error(`${id} stands and is not seen`);
    return attachment;
  }

  /** @param {string} text */
  #complain(text) {
    this.#tell({ event: 'complaint', text });
  }
}
