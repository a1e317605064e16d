// Carries captions and reactions between the page and a session's messenger, and gives those who come later what was said before.

/** @typedef {import('../groupactivities/index.js').GroupSession} GroupSession */
/** @typedef {import('../groupactivities/index.js').GroupSessionMessenger} GroupSessionMessenger */
/** @typedef {import('../groupactivities/participant.js').Participant} Participant */

/** A snapshot travels in messages of so many photos, each far below what a message may have. */
const linesPerMessage = 100;
/** Whoever was asked and says nothing for so long is asleep. */
const answerLimitMilliseconds = 10_000;

export class RemarkSession {
  #isOver = false;
  #isShowing = false;
  /** Those who were asked already. @type {Set<string>} */
  #asked = new Set();
  /** Whether somebody who was here before has told us what was said. */
  #isInformed = false;
  /** @type {string | null} */
  #waitsFor = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {object} parts
   * @param {import('./model.js').Gallery} parts.gallery
   * @param {import('./remarks.js').Remarks} parts.remarks outlives a session
   * @param {GroupSession} parts.session
   * @param {GroupSessionMessenger} parts.messenger
   * @param {string} parts.person a name for whoever sits here, the same after a reload
   * @param {(run: () => void, milliseconds: number) => any} [parts.setTimer]
   */
  constructor({ gallery, remarks, session, messenger, person, setTimer = (run, milliseconds) => setTimeout(run, milliseconds) }) {
    this.gallery = gallery;
    this.remarks = remarks;
    this.session = session;
    this.messenger = messenger;
    this.person = person;
    this.setTimer = setTimer;
  }

  /** Follows the messages until the session is over; call it before the session is joined. */
  follow() {
    this.remarks.begin();
    const { messenger, remarks } = this;
    this.#each('caption', ({ message }) => this.#show(remarks.hearCaption(message)));
    this.#each('reaction', ({ message, source }) => this.#show(remarks.hearReaction(message, source.name)));
    this.#each('remarks-wanted', ({ source }) => void this.#answer(messenger, source));
    this.#each('remarks', ({ message, source }) => this.#learn(message, source));
    this.session.addEventListener('activeparticipantschange', this.#ask);
    this.gallery.addEventListener('sharingchange', this.#ask);
    this.gallery.addEventListener('photoschange', this.#showAll);
  }

  close() {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.gallery.removeEventListener('sharingchange', this.#ask);
    this.gallery.removeEventListener('photoschange', this.#showAll);
  }

  /** @param {string} attachmentId @param {string} text @returns {Promise<void>} rejects with a `HearthError` */
  async caption(attachmentId, text) {
    const message = { photo: attachmentId, text };
    await this.messenger.send(message, { messageIdentifier: 'caption' });
    // Own messages do not come back: this is the moment at which the others have it too.
    if (!this.#isOver) this.#show(this.remarks.hearCaption(message));
  }

  /** @param {string} attachmentId @param {string | null} emoji null takes it back @returns {Promise<void>} rejects with a `HearthError` */
  async react(attachmentId, emoji) {
    const message = { photo: attachmentId, emoji, person: this.person };
    await this.messenger.send(message, { messageIdentifier: 'reaction' });
    if (!this.#isOver) this.#show(this.remarks.hearReaction(message, this.gallery.sharing.name));
  }

  /** @param {string} identifier @param {(received: import('../groupactivities/messenger.js').ReceivedMessage) => void} hear */
  async #each(identifier, hear) {
    for await (const received of this.messenger.messages(identifier)) {
      if (this.#isOver) return;
      hear(received);
    }
  }

  /** One of those who were here before tells what was said: whoever comes chooses whom to ask, so that no two answer and none relies on the other. */
  #ask = () => {
    // Before, somebody who is here may not have been introduced yet.
    if (this.#isOver || this.#isInformed || !this.gallery.sharing.isInSync) return;
    const others = this.session.activeParticipants.filter(({ isLocal }) => !isLocal);
    if (others.length === 0) this.#isInformed = true;
    if (this.#waitsFor !== null && others.some(({ id, isAway }) => id === this.#waitsFor && !isAway)) return;
    const next = others.find(({ id, isAway }) => !isAway && !this.#asked.has(id));
    this.#waitsFor = next?.id ?? null;
    clearTimeout(this.#timer);
    if (!next) return;
    this.#asked.add(next.id);
    this.messenger.send({}, { to: next, messageIdentifier: 'remarks-wanted' }).catch(() => {});
    this.#timer = this.setTimer(() => {
      this.#waitsFor = null;
      this.#ask();
    }, answerLimitMilliseconds);
  };

  /** @param {GroupSessionMessenger} messenger @param {Participant} source */
  async #answer(messenger, source) {
    const here = new Set(this.gallery.photos.flatMap(({ attachmentId }) => attachmentId ?? []));
    const lines = this.remarks.lines(here);
    for (let at = 0; at === 0 || at < lines.length; at += linesPerMessage) {
      const message = { lines: lines.slice(at, at + linesPerMessage), isLast: at + linesPerMessage >= lines.length, isWhole: this.#isInformed };
      await messenger.send(message, { to: source, messageIdentifier: 'remarks' }).catch(() => {});
    }
  }

  /** @param {unknown} message @param {Participant} source */
  #learn(message, source) {
    // Whoever was not asked has nothing to tell.
    if (!this.#asked.has(source.id)) return;
    const { lines, isLast, isWhole } = /** @type {Record<string, unknown>} */ (Object(message));
    this.remarks.learn(lines);
    this.#showAll();
    if (isLast !== true || source.id !== this.#waitsFor) return;
    clearTimeout(this.#timer);
    this.#waitsFor = null;
    if (isWhole === true) this.#isInformed = true;
    else this.#ask();
  }

  /** @param {string | null} attachmentId */
  #show(attachmentId) {
    const photo = attachmentId === null ? undefined : this.gallery.photos.find((each) => each.attachmentId === attachmentId);
    if (photo) this.#apply(photo);
  }

  #showAll = () => {
    // What this changes would else lead here again, for each photo.
    if (this.#isShowing) return;
    this.#isShowing = true;
    for (const photo of this.gallery.photos) if (photo.attachmentId !== null) this.#apply(photo);
    this.#isShowing = false;
  };

  /** @param {import('./model.js').Photo} photo */
  #apply(photo) {
    const remark = photo.attachmentId === null ? undefined : this.remarks.of(photo.attachmentId);
    if (!remark) return;
    const caption = remark.caption ?? photo.caption;
    const reactions = [...remark.reactions.values()];
    const isSame = caption === photo.caption && reactions.length === photo.reactions.length && reactions.every((reaction, index) => reaction === photo.reactions[index]);
    if (!isSame) this.gallery.update(photo.id, { caption, reactions });
  }
}
