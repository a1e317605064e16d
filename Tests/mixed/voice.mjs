// A participant for the mixed conversation, in a page or in node: does what it is asked as `Tests/mixed/Participant` does in Swift.

/** @typedef {typeof import('../../Web/groupactivities/index.js')} Library */
/** @typedef {{ wish: string, title?: string, from?: number, to?: number, number?: number, sizeBytes?: number }} Wish */

const identifier = 'org.hearth.test.mixed';

export class Voice {
  #name;
  #library;
  #conversation;
  /** @type {import('../../Web/groupactivities/session.js').GroupSession | null} */
  #session = null;
  /** @type {import('../../Web/groupactivities/messenger.js').GroupSessionMessenger | null} */
  #messenger = null;
  /** @type {import('../../Web/groupactivities/journal.js').GroupSessionJournal | null} */
  #journal = null;
  /** @type {readonly import('../../Web/groupactivities/attachment.js').Attachment[]} */
  #attachments = [];
  /** @type {string[]} */
  #heard = [];
  #said = 0;
  #isGone = false;
  /** @type {string[]} */
  #complaints = [];

  /**
   * Without a link it makes a conversation and begins the activity.
   * @param {Library} library
   * @param {{ name: string, relay: string, link?: string, title?: string }} options
   */
  static async join(library, { name, relay, link, title }) {
    const { Conversation, Invitation } = library;
    const conversation = link ? await Conversation.join(Invitation.parse(link), { name }) : await Conversation.create({ relay, name });
    if (!link) await conversation.activate({ activityIdentifier: identifier, activity: { title }, metadata: { title } });
    return new Voice(library, conversation, name);
  }

  /** @param {Library} library @param {import('../../Web/groupactivities/index.js').Conversation} conversation @param {string} name */
  constructor(library, conversation, name) {
    this.#library = library;
    this.#conversation = conversation;
    this.#name = name;
    void this.#live();
  }

  get link() {
    return this.#conversation.invitation.link;
  }

  async #live() {
    for await (const session of this.#conversation.sessions(identifier)) {
      // Who has left is offered the session again.
      if (this.#isGone) break;
      if (this.#session) this.#complaints.push('a second session was offered');
      this.#session = session;
      const messenger = new this.#library.GroupSessionMessenger(session);
      const journal = new this.#library.GroupSessionJournal(session);
      this.#messenger = messenger;
      this.#journal = journal;
      session.addEventListener('statechange', () => {
        if (session.state === 'invalidated') this.#complaints.push(`over: ${session.invalidationReason?.code}`);
      });
      void this.#listen(messenger);
      void this.#look(journal);
      session.join();
    }
  }

  /** @param {import('../../Web/groupactivities/messenger.js').GroupSessionMessenger} messenger */
  async #listen(messenger) {
    for await (const { message, source } of messenger.messages('saying')) {
      this.#heard.push(`${source.name} ${message.number}`);
      if (message.text !== text(source.name, message.number)) this.#complaints.push(`another text: ${this.#heard.at(-1)}`);
    }
  }

  /** @param {import('../../Web/groupactivities/journal.js').GroupSessionJournal} journal */
  async #look(journal) {
    for await (const attachments of journal.attachments) this.#attachments = attachments;
  }

  /** @param {Wish} wish */
  async fulfil({ wish, title, from = 0, to = 0, number = 0, sizeBytes = 0 }) {
    switch (wish) {
      case 'say':
        this.#say(from, to);
        break;
      case 'add':
        void this.#add(number, sizeBytes);
        break;
      case 'remove':
        for (const attachment of this.#attachments.filter(({ metadata }) => /** @type {any} */ (metadata).number === number)) await this.#journal?.remove(attachment);
        break;
      case 'retitle':
        if (this.#session) this.#session.activity = { title };
        break;
      case 'heard':
        return { heard: this.#heard };
      case 'load':
        return { contents: await this.#contents() };
      case 'leave':
        this.#isGone = true;
        this.#session?.leave();
        break;
      default:
    }
    return {
      state: this.#session?.state ?? 'none',
      title: /** @type {any} */ (this.#session?.activity)?.title,
      said: this.#said,
      heardCount: this.#heard.length,
      participants: (this.#session?.activeParticipants ?? []).map(({ name }) => name).sort(),
      attachments: this.#attachments.map(({ metadata, owner }) => `${/** @type {any} */ (metadata).number} ${owner?.name ?? ''}`).sort(),
      complaints: this.#complaints,
    };
  }

  /** @param {number} from @param {number} to */
  #say(from, to) {
    if (!this.#messenger) this.#complaints.push('nothing to say it by');
    for (let number = from; number < to; number += 1) {
      this.#messenger?.send({ number, text: text(this.#name, number) }, { messageIdentifier: 'saying' })
        .catch((/** @type {unknown} */ error) => this.#complaints.push(`saying ${number}: ${error}`))
        .finally(() => { this.#said += 1; });
    }
  }

  /** @param {number} number @param {number} sizeBytes */
  async #add(number, sizeBytes) {
    try {
      const bytes = Uint8Array.from({ length: sizeBytes }, (_, index) => index * 31 + (index >> 8) + number);
      await (await this.#journal?.add(new Blob([bytes]), { metadata: { number } }))?.uploaded;
    } catch (error) {
      this.#complaints.push(`adding ${number}: ${error}`);
    }
  }

  async #contents() {
    /** @type {Record<string, string>} */
    const contents = {};
    for (const attachment of this.#attachments) contents[/** @type {any} */ (attachment.metadata).number] = checksum(new Uint8Array(await (await attachment.load()).arrayBuffer()));
    return contents;
  }
}

/** @param {string} name @param {number} number */
const text = (name, number) => `${name} ${number} ${'ü'.repeat((number * 37) % 300)}`;

/** Adler-32. @param {Uint8Array} bytes */
function checksum(bytes) {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return `${bytes.length} ${((b << 16) | a) >>> 0}`;
}
