// Who else may come in, as the gallery keeps it: how the door stands, who knocks, and the pass by which this tab comes back past it.

/** @typedef {import('../groupactivities/index.js').Conversation} Conversation */
/** @typedef {'open' | 'knock' | 'locked'} DoorMode */
/** `isConfirmed`: some member has set it so, by their own signature. @typedef {{ mode: DoorMode | 'unknown', closesAt: Date | null, isConfirmed: boolean }} GalleryDoor */
/** @typedef {'never' | 'hour' | 'today' | 'week'} EndChoice */

const hourMilliseconds = 3_600_000;

/**
 * @param {EndChoice} choice
 * @param {Date} now
 * @returns {Date | null} `today` ends with the day, where one is
 */
export function endOf(choice, now) {
  switch (choice) {
    case 'hour': return new Date(now.getTime() + hourMilliseconds);
    case 'today': return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
    case 'week': return new Date(now.getTime() + 7 * 24 * hourMilliseconds);
    default: return null;
  }
}

/** @param {GalleryDoor} door @param {Date} now */
export function hasEnded({ closesAt }, now) {
  return closesAt !== null && closesAt <= now;
}

export class Entrance {
  /** @type {Conversation | null} */
  #conversation = null;
  /** Of which conversation the pass is. */
  #link = '';
  /** @type {string | null} */
  #pass = null;
  /** Those who knock, and the message that says so. @type {Map<string, number>} */
  #told = new Map();

  /**
   * @param {import('./model.js').Gallery} gallery
   * @param {(pass: string | null) => void} keepPass where a reload finds it
   */
  constructor(gallery, keepPass) {
    this.gallery = gallery;
    this.keepPass = keepPass;
  }

  /** What an earlier page of this tab was told. @param {string} link @param {string | undefined} pass */
  remember(link, pass) {
    this.#link = link;
    this.#pass = pass ?? null;
  }

  /** @param {string} link @returns {string | undefined} */
  passFor(link) {
    return link === this.#link && this.#pass !== null ? this.#pass : undefined;
  }

  /** @param {Conversation} conversation */
  follow(conversation) {
    this.#conversation = conversation;
    this.remember(conversation.invitation.link, conversation.pass ?? undefined);
    conversation.addEventListener('doorchange', () => this.#doorChanged(conversation));
    conversation.addEventListener('knockschange', () => this.#knocksChanged(conversation));
    this.#doorChanged(conversation);
    this.#knocksChanged(conversation);
  }

  /** The conversation is over for this page. */
  close() {
    this.#conversation = null;
    for (const id of [...this.#told.keys()]) this.#forget(id);
  }

  /** @param {Conversation} conversation */
  #doorChanged(conversation) {
    if (conversation !== this.#conversation) return;
    const { mode, closesAt, isConfirmed } = conversation.door;
    this.#pass = conversation.pass;
    this.keepPass(conversation.pass);
    this.gallery.setSharing({ door: { mode, closesAt, isConfirmed } });
  }

  /** @param {Conversation} conversation */
  #knocksChanged(conversation) {
    if (conversation !== this.#conversation) return;
    const knocks = new Map(conversation.knocks.map(({ id, name }) => [id, name]));
    for (const id of [...this.#told.keys()]) if (!knocks.has(id)) this.#forget(id);
    for (const [id, name] of knocks) if (!this.#told.has(id)) this.#told.set(id, this.gallery.notify({ kind: 'knocking', name, knock: id }));
  }

  /** @param {string} id */
  #forget(id) {
    const notice = this.#told.get(id);
    this.#told.delete(id);
    if (notice !== undefined) this.gallery.dismiss(notice);
  }

  /** Lets somebody in who knocks, or does not. @param {string | undefined} id @param {boolean} admits */
  answer(id, admits) {
    if (id === undefined || this.#conversation === null) return;
    if (admits) this.#conversation.admit(id);
    else this.#conversation.decline(id);
  }

  /** @param {DoorMode} mode Rejects with a `HearthError`. An end that is past goes with it. */
  async setMode(mode) {
    const { door } = this.gallery.sharing;
    await this.#conversation?.setDoor({ mode, closesAt: hasEnded(door, new Date()) ? null : door.closesAt });
  }

  /** @param {EndChoice} choice Rejects with a `HearthError`. */
  async setEnd(choice) {
    const { mode } = this.gallery.sharing.door;
    await this.#conversation?.setDoor({ mode: mode === 'unknown' ? 'open' : mode, closesAt: endOf(choice, new Date()) });
  }
}
