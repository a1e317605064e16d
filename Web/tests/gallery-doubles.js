// Stand-ins for the library that record what the gallery asks of them, for its tests.

/** @typedef {import('../gallery/model.js').Photo} Photo */

let number = 0;

/** @param {string} name @param {Partial<Photo>} [change] @returns {Photo} one's own photo, ready and not shared */
export function photoNamed(name, change = {}) {
  number += 1;
  const id = `photo-${String(number).padStart(4, '0')}`;
  return {
    id, sortKey: id, name, format: 'jpeg', sizeBytes: 3, width: 400, height: 300, orientation: 1, takenAt: null, addedAtMilliseconds: number, ownerName: '', isMine: true,
    isAnimated: false, isTooLargeToDecode: false, isPrepared: true, thumbnail: null, original: new Blob([name]), source: null, digest: '', caption: '', reactions: [], isLeaving: false, isIntended: false, share: 'private', load: 'here', progress: null,
    failure: null, sessionId: null, attachmentId: null, fingerprint: '', ...change,
  };
}

/** @param {string} code */
export function failure(code) {
  return Object.assign(new Error(code), { code });
}

/** An async sequence that is fed by hand. @template T */
export class Feed {
  /** @type {T[]} */
  #items = [];
  #wake = () => {};
  #isOver = false;

  /** @param {T} item */
  push(item) {
    this.#items.push(item);
    this.#wake();
  }

  end() {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) yield item;
      else if (this.#isOver) return;
      else await new Promise((resolve) => { this.#wake = () => resolve(undefined); });
    }
  }
}

export class FakeAttachment extends EventTarget {
  isUploaded = false;
  owner = null;
  progress = { bytes: 0, total: 1, phase: 'waiting' };
  loadCount = 0;
  /** @type {Promise<Blob>} */
  content;
  /** @type {Promise<void>} */
  uploaded;
  /** @type {(blob: Blob) => void} */
  arrive = () => {};
  /** @type {(error: Error) => void} */
  refuse = () => {};
  finish = () => {};

  /** @param {string} id @param {unknown} metadata @param {{ isLocal?: boolean, size?: number }} [facts] */
  constructor(id, metadata, { isLocal = false, size = 3 } = {}) {
    super();
    Object.assign(this, { id, metadata, isLocal, size });
    this.content = new Promise((resolve, reject) => Object.assign(this, { arrive: resolve, refuse: reject }));
    this.uploaded = new Promise((resolve) => { this.finish = () => resolve(undefined); });
    this.content.catch(() => {});
  }

  load() {
    this.loadCount += 1;
    return this.content;
  }
}

export class FakeJournal extends EventTarget {
  /** @type {FakeJournal[]} */
  static all = [];
  /** @type {FakeAttachment[]} */
  #list = [];
  /** @type {Feed<FakeAttachment[]>[]} */
  #feeds = [];
  isComplete = false;
  /** @type {{ item: unknown, metadata: any, attachment: FakeAttachment }[]} */
  added = [];
  /** @type {string[]} */
  removed = [];
  /** @type {Error | null} */
  refusal = null;

  constructor() {
    super();
    FakeJournal.all.push(this);
  }

  /** A new sequence each time, the present list first. */
  get attachments() {
    /** @type {Feed<FakeAttachment[]>} */
    const feed = new Feed();
    feed.push(this.#list);
    this.#feeds.push(feed);
    return feed;
  }

  /** @param {FakeAttachment[]} list all that there is now */
  show(list) {
    this.#list = list;
    for (const feed of this.#feeds) feed.push(list);
  }

  complete() {
    this.isComplete = true;
    this.dispatchEvent(new Event('completechange'));
  }

  /** @param {unknown} item @param {{ metadata: any }} options */
  async add(item, { metadata }) {
    if (this.refusal) throw this.refusal;
    const attachment = new FakeAttachment(`entry-${FakeJournal.all.indexOf(this)}-${this.added.length}`, metadata, { isLocal: true });
    this.added.push({ item, metadata, attachment });
    this.show([...this.#list, attachment]);
    return attachment;
  }

  /** @param {FakeAttachment & { id?: string }} attachment */
  async remove(attachment) {
    this.removed.push(attachment.id ?? '');
  }
}

/** Hands over what tests push, and notes what is sent. */
export class FakeMessenger {
  /** @type {FakeMessenger[]} */
  static all = [];
  /** @type {{ message: any, to: any, identifier: string }[]} */
  sent = [];
  /** @type {Map<string, Feed<{ message: any, source: any, receivedDate: Date }>>} */
  #feeds = new Map();
  /** @type {Error | null} */
  refusal = null;

  constructor() {
    FakeMessenger.all.push(this);
  }

  /** @param {any} message @param {{ to?: any, messageIdentifier: string }} options */
  async send(message, { to = 'all', messageIdentifier }) {
    if (this.refusal) throw this.refusal;
    this.sent.push({ message, to, identifier: messageIdentifier });
  }

  /** @param {string} identifier */
  messages(identifier) {
    const feed = this.#feeds.get(identifier) ?? new Feed();
    this.#feeds.set(identifier, feed);
    return feed;
  }

  /** @param {string} identifier @param {any} message @param {any} source */
  hear(identifier, message, source) {
    this.messages(identifier).push({ message, source, receivedDate: new Date(0) });
  }
}

export class FakeSession extends EventTarget {
  /** @type {{ id: string, name: string, isLocal: boolean, isAway: boolean }[]} */
  activeParticipants = [];
  state = 'waiting';
  /** @type {Error | null} */
  invalidationReason = null;
  /** @type {{ name: string }[]} */
  divergentParticipants = [];

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
  }

  /** @param {...string} names */
  diverge(...names) {
    this.divergentParticipants = names.map((name) => ({ name }));
    this.dispatchEvent(new Event('divergence'));
  }

  join() {
    this.#become('joined');
  }

  /** @param {string} code */
  invalidate(code) {
    this.invalidationReason = failure(code);
    this.#become('invalidated');
  }

  async end() {
    this.invalidate('ended');
  }

  /** @param {string} state */
  #become(state) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

export class FakeConversation extends EventTarget {
  /** @type {FakeConversation[]} */
  static all = [];
  /** @type {Error[]} refusals for the next attempts to come in */
  static refusals = [];
  state = 'connected';
  /** @type {Error | null} */
  closeReason = null;
  invitation = { link: 'https://hearth.test/c/x#1.y', origin: 'https://hearth.test', conversationId: 'x' };
  code = '00000 11111 22222 33333';
  /** @type {{ id: string, name: string, isLocal: boolean, isAway: boolean }[]} */
  participants;
  announced = new Feed();
  door = { mode: 'open', closesAt: /** @type {Date | null} */ (null), isConfirmed: true, setBy: null };
  /** @type {string | null} */
  pass = null;
  /** @type {{ id: string, name: string }[]} */
  knocks = [];
  /** What was said to those who knock, and of the door. @type {[string, any][]} */
  said = [];
  /** @type {unknown[]} */
  activated = [];
  /** @type {FakeSession[]} */
  sessionsMade = [];
  hasLeft = false;

  /** @param {string} name */
  constructor(name) {
    super();
    this.participants = [{ id: `me-${FakeConversation.all.length}`, name, isLocal: true, isAway: false }];
    FakeConversation.all.push(this);
  }

  /** @param {{ name: string }} options */
  static async create({ name }) {
    const refusal = FakeConversation.refusals.shift();
    if (refusal) throw refusal;
    return new FakeConversation(name);
  }

  /** @param {unknown} _invitation @param {{ name: string }} options */
  static join(_invitation, options) {
    return FakeConversation.create(options);
  }

  sessions() {
    return this.announced;
  }

  /** @param {unknown} activity */
  async activate(activity) {
    this.activated.push(activity);
    const session = new FakeSession(`session-${this.activated.length}`);
    this.sessionsMade.push(session);
    this.announced.push(session);
  }

  async leave() {
    this.hasLeft = true;
  }

  /** @param {any} door */
  async setDoor(door) {
    this.said.push(['door', door]);
  }

  /** @param {string} id */
  admit(id) {
    this.said.push(['admit', id]);
  }

  /** @param {string} id */
  decline(id) {
    this.said.push(['decline', id]);
  }

  /** @param {{ id: string, name: string }[]} knocks */
  knock(...knocks) {
    this.knocks = knocks;
    this.dispatchEvent(new Event('knockschange'));
  }

  /** @param {object} door @param {string | null} pass */
  shut(door, pass) {
    Object.assign(this.door, door);
    this.pass = pass;
    this.dispatchEvent(new Event('doorchange'));
  }

  leaveNow() {}
  retryNow() {}

  /** @param {string} code */
  close(code) {
    this.state = 'closed';
    this.closeReason = failure(code);
    this.dispatchEvent(new Event('statechange'));
  }

  /** @param {{ id: string, name: string, isLocal: boolean, isAway: boolean }[]} participants */
  become(participants) {
    this.participants = participants;
    this.dispatchEvent(new Event('participantschange'));
  }
}
