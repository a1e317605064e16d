// Follow me: one shows, those who wish follow; of two who show the later one leads, and anyone stops whenever they like.

/** @typedef {import('../groupactivities/index.js').GroupSession} GroupSession */
/** @typedef {import('../groupactivities/index.js').GroupSessionMessenger} GroupSessionMessenger */
/** @typedef {{ id: string, name: string, attachmentId: string, since: number }} Leader `name` is text from a stranger; the greater `since` leads */

const attachmentIdLength = 22;

/** Event `change`; read the properties. Of this page, not of a session: `begin` and `close` give it one. */
export class Following extends EventTarget {
  /** @type {GroupSession | null} */
  #session = null;
  /** @type {GroupSessionMessenger | null} */
  #messenger = null;
  /** Somebody else who shows. @type {Leader | null} */
  #leader = null;
  /** What this page shows to the others. @type {string | null} */
  #shown = null;
  #isLeading = false;
  #isFollowing = false;
  /** When this page began to lead: a time where clocks agree, and in any case later than what it had heard. */
  #since = 0;
  /** @type {Set<string>} */
  #followers = new Set();
  /** Those who were here when something was last said. @type {Set<string>} */
  #told = new Set();

  /** @param {() => number} [now] milliseconds */
  constructor(now = Date.now) {
    super();
    this.now = now;
  }

  get leader() {
    return this.#leader;
  }

  get isLeading() {
    return this.#isLeading;
  }

  get isFollowing() {
    return this.#isFollowing && this.#leader !== null;
  }

  /** How many follow this page. */
  get followerCount() {
    return this.#session?.activeParticipants.filter(({ id }) => this.#followers.has(id)).length ?? 0;
  }

  /** @param {GroupSession} session @param {GroupSessionMessenger} messenger reliable */
  begin(session, messenger) {
    this.close();
    this.#session = session;
    this.#messenger = messenger;
    session.addEventListener('activeparticipantschange', () => {
      if (session === this.#session) this.#peopleChanged();
    });
    void this.#each(messenger, 'showing', ({ message, source }) => this.#heardShowing(message, source));
    void this.#each(messenger, 'following', ({ message, source }) => this.#heardFollowing(message, source));
  }

  close() {
    this.#session = null;
    this.#messenger = null;
    this.#leader = null;
    this.#isLeading = false;
    this.#isFollowing = false;
    this.#followers.clear();
    this.#changed();
  }

  /** From now on this page leads, whoever led before. @param {string} attachmentId */
  lead(attachmentId) {
    this.unfollow();
    this.#since = Math.max(this.now(), (this.#leader?.since ?? 0) + 1);
    this.#leader = null;
    this.#isLeading = true;
    this.#followers.clear();
    this.show(attachmentId);
    this.#changed();
  }

  /** The leader looks at another photo. @param {string} attachmentId */
  show(attachmentId) {
    if (!this.#isLeading) return;
    this.#shown = attachmentId;
    this.#say();
  }

  stopLeading() {
    if (!this.#isLeading) return;
    this.#isLeading = false;
    this.#shown = null;
    this.#say();
    this.#changed();
  }

  follow() {
    if (this.#leader === null || this.#isFollowing) return;
    this.#isFollowing = true;
    this.#tellLeader();
    this.#changed();
  }

  unfollow() {
    if (!this.#isFollowing) return;
    this.#isFollowing = false;
    this.#tellLeader();
    this.#changed();
  }

  /** @param {GroupSessionMessenger} messenger @param {string} identifier @param {(received: import('../groupactivities/messenger.js').ReceivedMessage) => void} hear */
  async #each(messenger, identifier, hear) {
    for await (const received of messenger.messages(identifier)) {
      if (messenger !== this.#messenger) return;
      hear(received);
    }
  }

  /** @param {{ to?: import('../groupactivities/participant.js').Participant[] }} [options] */
  async #say({ to } = {}) {
    const { activeParticipants = [] } = this.#session ?? {};
    this.#told = new Set(activeParticipants.map(({ id }) => id));
    try {
      await this.#messenger?.send({ photo: this.#shown, isShowing: this.#isLeading, since: this.#since }, { messageIdentifier: 'showing', ...(to ? { to } : {}) });
    } catch {
      // The session is over, and with it whatever was shown.
    }
  }

  #tellLeader() {
    const leader = this.#session?.activeParticipants.find(({ id }) => id === this.#leader?.id);
    if (leader) this.#messenger?.send({ isFollowing: this.#isFollowing }, { messageIdentifier: 'following', to: leader }).catch(() => {});
  }

  /** @param {unknown} message @param {{ id: string, name: string }} source */
  #heardShowing(message, { id, name }) {
    const { photo, isShowing, since } = /** @type {Record<string, unknown>} */ (Object(message));
    if (isShowing !== true) {
      if (this.#leader?.id !== id) return;
      this.#leader = null;
      this.#isFollowing = false;
      this.#changed();
      return;
    }
    if (typeof photo !== 'string' || photo.length !== attachmentIdLength) return;
    if (typeof since !== 'number' || !Number.isSafeInteger(since)) return;
    // Two may begin at once: everyone finds the same one of them to lead.
    const rival = this.#isLeading ? { since: this.#since, id: this.#session?.localParticipant.id ?? '' } : this.#leader;
    if (rival !== null && rival.id !== id && (since < rival.since || (since === rival.since && id < rival.id))) return;
    const isOther = this.#leader?.id !== id;
    this.#isLeading = false;
    this.#leader = { id, name, attachmentId: photo, since };
    if (isOther && this.#isFollowing) this.#tellLeader();
    this.#changed();
  }

  /** @param {unknown} message @param {{ id: string }} source */
  #heardFollowing(message, { id }) {
    if (Object(message).isFollowing === true) this.#followers.add(id);
    else this.#followers.delete(id);
    this.#changed();
  }

  #peopleChanged() {
    const { activeParticipants = [] } = this.#session ?? {};
    if (this.#leader !== null && !activeParticipants.some(({ id }) => id === this.#leader?.id)) {
      this.#leader = null;
      this.#isFollowing = false;
    }
    const newcomers = activeParticipants.filter(({ id, isLocal }) => !isLocal && !this.#told.has(id));
    if (this.#isLeading && newcomers.length > 0) void this.#say({ to: newcomers });
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}
