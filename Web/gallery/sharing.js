// The life of a conversation as the gallery lives it: make or join one, start the activity, leave, end, come back.

import { causeOf, errorCode } from './causes.js';
import { Entrance } from './entrance.js';
import { Following } from './following.js';
import { Joins } from './joins.js';
import { PhotoSession, leaveUnsent, queueIntended } from './photo-session.js';
import { RemarkSession } from './remark-session.js';
import { Remarks } from './remarks.js';

/** @typedef {import('../groupactivities/index.js').Conversation} Conversation */
/** @typedef {import('../groupactivities/index.js').GroupSession} GroupSession */
/** @typedef {import('../groupactivities/index.js').Invitation} Invitation */
/** @typedef {typeof import('../groupactivities/index.js')} Library */

export const activityIdentifier = 'org.hearth.photo-gallery';
const activityMetadata = { title: 'Shared photos', subtitle: 'Photos for everyone who is here', type: 'generic' };
const returnPausesMilliseconds = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

export class Sharing {
  /** @type {Conversation | null} */
  #conversation = null;
  /** @type {Invitation | null} */
  #invitation = null;
  /** @type {GroupSession | null} */
  #session = null;
  /** @type {PhotoSession | null} */
  #photos = null;
  /** @type {RemarkSession | null} */
  #remarkSession = null;
  #remarks = new Remarks();
  #joins = new Joins();
  /** Who shows photos to all, and who follows. */
  following = new Following();
  /** @type {GroupSession[]} */
  #others = [];
  /** How often all that was here has been meant for the others. */
  #intendedCount = 0;
  /** Ends an attempt to come in. */
  #coming = new AbortController();

  /**
   * @param {import('./model.js').Gallery} gallery
   * @param {Pick<Library, 'Conversation' | 'GroupSessionJournal' | 'GroupSessionMessenger'>} library
   * @param {object} [surroundings]
   * @param {() => number} [surroundings.now]
   * @param {(milliseconds: number) => Promise<void>} [surroundings.pause]
   * @param {string} [surroundings.person] whom reactions are remembered of, the same after a reload
   * @param {{ network?: { fetch?: (input: string, init?: RequestInit) => Promise<Response> } }} [surroundings.environment] of the conversation
   * @param {(ticket: string) => void} [surroundings.keepTicket] of each participation
   * @param {(pass: string | null) => void} [surroundings.keepPass] past the door of the conversation
   */
  constructor(gallery, library, { now = Date.now, pause = wait, person = '0'.repeat(32), environment = {}, keepTicket = () => {}, keepPass = () => {} } = {}) {
    this.gallery = gallery;
    this.library = library;
    this.now = now;
    this.pause = pause;
    this.person = person;
    this.environment = environment;
    this.keepTicket = keepTicket;
    /** Who else may come in. */
    this.entrance = new Entrance(gallery, keepPass);
  }

  /** What is added now is meant for the others: there is a session, one is beginning, or we are on our way back to one. */
  get isSharing() {
    const { stage, session, isStarting } = this.gallery.sharing;
    return (stage === 'together' || stage === 'connecting') && (session === 'joined' || isStarting);
  }

  /**
   * Whether what is chosen now is meant for the others: to be asked once it has been read, for it may be shared with all that is here meanwhile.
   * @returns {() => boolean}
   */
  intention() {
    const [isMeant, intendedCount] = [this.isSharing, this.#intendedCount];
    return () => isMeant || this.#intendedCount > intendedCount;
  }

  /** Known from the first answer of the relay on; kept after leaving, so that one can come back. */
  get invitation() {
    return this.#invitation;
  }

  /**
   * Makes a conversation and starts the activity in it with the photos that are here. Rejects with a `HearthError`.
   * @param {{ relay: string, name: string }} options
   */
  async create({ relay, name }) {
    await this.#enter(name, () => this.library.Conversation.create({ relay, ...this.#asMyself(name, '') }));
    await this.start();
  }

  /**
   * Joins; the photos that are here stay private. Rejects with a `HearthError`.
   * @param {Invitation} invitation
   * @param {string} name
   */
  async join(invitation, name) {
    await this.#enter(name, () => this.library.Conversation.join(invitation, this.#asMyself(name, invitation.link)));
  }

  /**
   * After a reload: the same person comes back by itself as a new participant, whenever the relay can be reached; what waits in the gallery goes out then.
   * @param {Invitation} invitation
   * @param {string} name
   * @param {string} [ticket] of the participation before, which ends
   */
  comeBack(invitation, name, ticket) {
    this.#invitation = invitation;
    this.gallery.setSharing({ session: 'joined', isInSync: false, link: invitation.link, name, reason: null });
    return this.#return(ticket);
  }

  /** Starts the activity in the conversation that is there, for everyone, with the photos that are here. */
  async start() {
    this.intendAll();
    if (this.#session !== null) return;
    this.gallery.setSharing({ isStarting: true });
    try {
      await this.#conversation?.activate({ activityIdentifier, activity: { title: activityMetadata.title }, metadata: activityMetadata });
    } catch (error) {
      this.gallery.setSharing({ isStarting: false });
      throw error;
    }
  }

  /** Lets the others have the photos that only this device has. */
  intendAll() {
    this.#intendedCount += 1;
    for (const photo of this.gallery.photos) {
      if (photo.isMine && !photo.isIntended && !photo.isLeaving) this.gallery.update(photo.id, { isIntended: true });
    }
    this.#photos?.shareIntended();
  }

  /** A photo has its thumbnail now, or stays after all. */
  photoPrepared() {
    if (this.#photos) {
      this.#photos.shareIntended();
      this.#photos.originals.goOn();
    } else if (this.isSharing) queueIntended(this.gallery);
  }

  /** @param {string} photoId */
  tryAgain(photoId) {
    const photo = this.gallery.photo(photoId);
    if (!photo || photo.failure === null) return;
    if (photo.isMine) {
      this.gallery.update(photoId, { failure: null });
      this.#photos?.shareIntended();
    } else this.#photos?.originals.want(photoId);
  }

  /** @param {string} photoId its original is asked for before the others */
  want(photoId) {
    this.#photos?.originals.want(photoId);
  }

  /** @param {string} photoId gone for everyone, or here alone while nothing is shared; rejects with a `HearthError` */
  async remove(photoId) {
    if (this.#photos) await this.#photos.remove(photoId);
    else this.gallery.remove(photoId);
  }

  /**
   * What is written under a photo, for everyone, or here alone while it is not shared. Rejects with a `HearthError`.
   * @param {string} photoId @param {string} text
   */
  async caption(photoId, text) {
    const photo = this.gallery.photo(photoId);
    if (!photo) return;
    if (photo.attachmentId === null || this.#remarkSession === null) this.gallery.update(photoId, { caption: text });
    else await this.#remarkSession.caption(photo.attachmentId, text);
  }

  /** @param {string} photoId @param {string | null} emoji one of `emojis`; null takes back what one said before. Rejects with a `HearthError`. */
  async react(photoId, emoji) {
    const attachmentId = this.gallery.photo(photoId)?.attachmentId;
    if (attachmentId) await this.#remarkSession?.react(attachmentId, emoji);
  }

  /** Leaves for good; the others go on. */
  async leave() {
    const conversation = this.#conversation;
    this.#conversation = null;
    this.stopComing();
    this.#closeSession('none');
    this.gallery.setSharing({ stage: 'over', connection: 'closed', people: [], reason: { code: 'left' } });
    await conversation?.leave();
  }

  /** Gives up an attempt to come in: who asks for it is told `aborted`. */
  stopComing() {
    this.#coming.abort();
  }

  /** Ends the session for everyone; the conversation stays. */
  async end() {
    await this.#session?.end();
  }

  /** The page goes away, perhaps while it is still coming in. */
  leaveNow() {
    this.stopComing();
    this.#conversation?.leaveNow();
  }

  /** The page is looked at again, or the network is back. */
  retryNow() {
    this.#conversation?.retryNow();
  }

  /** Joins again as a new participant, after leaving or when the place was given up. Rejects with a `HearthError`. */
  async rejoin() {
    if (this.#invitation !== null) await this.join(this.#invitation, this.gallery.sharing.name);
  }

  /** Leaves a conversation whose session has broken, and joins it again. */
  async startOver() {
    await this.leave();
    await this.rejoin();
  }

  /** @param {string} name @param {string} link */
  #asMyself(name, link) {
    this.#coming = new AbortController();
    const { signal } = this.#coming;
    return {
      name, signal, environment: this.environment, pass: this.entrance.passFor(link),
      onWaiting: () => {
        if (!signal.aborted) this.gallery.setSharing({ connection: 'waiting' });
      },
    };
  }

  /** @param {string} name @param {() => Promise<Conversation>} open */
  async #enter(name, open) {
    const before = this.gallery.sharing;
    this.gallery.setSharing({ stage: 'connecting', connection: 'connecting', name, reason: null, divergent: [] });
    try {
      this.#follow(await open());
    } catch (error) {
      this.gallery.setSharing({ ...before, name });
      throw error;
    }
  }

  /** @param {Conversation} conversation */
  #follow(conversation) {
    this.#conversation = conversation;
    this.#joins = new Joins();
    this.#invitation = conversation.invitation;
    this.keepTicket(conversation.ticket);
    this.entrance.follow(conversation);
    this.gallery.setSharing({
      joinedLately: 0, stage: 'together', session: 'none', link: conversation.invitation.link, code: conversation.code, people: peopleOf(conversation),
      connection: conversation.state,
    });
    conversation.addEventListener('participantschange', () => this.#peopleChanged(conversation));
    conversation.addEventListener('statechange', () => this.#stateChanged(conversation));
    this.#stateChanged(conversation);
    this.#followSessions(conversation);
  }

  /** @param {Conversation} conversation */
  #peopleChanged(conversation) {
    if (conversation !== this.#conversation) return;
    const before = this.gallery.sharing.people;
    const people = peopleOf(conversation);
    this.gallery.setSharing({ people });
    if (!this.gallery.sharing.isInSync) return;
    const newcomers = people.filter((person) => !person.isLocal && !before.some(({ id }) => id === person.id));
    for (const { name } of newcomers) this.gallery.notify({ kind: 'came', name });
    this.#countJoins(newcomers.length);
    for (const person of before) {
      if (!person.isLocal && !people.some(({ id }) => id === person.id)) this.gallery.notify({ kind: 'went', name: person.name });
    }
  }

  /** @param {number} count */
  #countJoins(count) {
    const now = this.now();
    this.#joins = this.#joins.came(count, now);
    const unusual = this.#joins.unusual(now);
    if (unusual) {
      this.#joins = unusual.joins;
      this.gallery.notify({ kind: 'many-came', count: unusual.count });
    }
    this.gallery.setSharing({ joinedLately: this.#joins.latelyCount(now) });
  }

  /** @param {Conversation} conversation */
  #stateChanged(conversation) {
    if (conversation !== this.#conversation) return;
    if (conversation.state !== 'closed') {
      this.gallery.setSharing({ connection: conversation.state });
      return;
    }
    this.#conversation = null;
    this.entrance.close();
    const reason = causeOf(conversation.closeReason);
    if (reason.code === 'cannot-resume') {
      this.#closeSession('joined');
      this.#return();
      return;
    }
    this.#closeSession('none');
    this.gallery.setSharing({ stage: 'over', connection: 'closed', people: [], reason });
  }

  /** Away too long, or a page anew: the same person comes back as a new participant, with the photos that are here. @param {string} [ticket] */
  async #return(ticket) {
    const invitation = this.#invitation;
    const { name } = this.gallery.sharing;
    if (invitation === null) return;
    this.gallery.setSharing({ stage: 'together', connection: 'reconnecting', people: [] });
    for (let attempt = 0; this.#conversation === null && this.gallery.sharing.stage === 'together'; attempt += 1) {
      try {
        const conversation = await this.library.Conversation.join(invitation, { ...this.#asMyself(name, invitation.link), replaces: ticket });
        if (this.gallery.sharing.stage === 'together') this.#follow(conversation);
        else await conversation.leave();
        return;
      } catch (error) {
        // Left meanwhile: what is to be said about it has been.
        if (this.gallery.sharing.stage !== 'together') return;
        if (errorCode(error) !== 'relay-unreachable') {
          leaveUnsent(this.gallery);
          this.gallery.setSharing({ stage: 'over', connection: 'closed', session: 'none', reason: causeOf(error) });
          return;
        }
        await this.pause(returnPausesMilliseconds[Math.min(attempt, returnPausesMilliseconds.length - 1)] ?? 0);
      }
    }
  }

  /** @param {Conversation} conversation */
  async #followSessions(conversation) {
    for await (const session of conversation.sessions(activityIdentifier)) {
      if (conversation !== this.#conversation) return;
      // Two people may start at once: everyone stays in the one that was announced first.
      if (this.#session === null) this.#joinSession(session);
      else this.#others.push(session);
    }
  }

  /** @param {GroupSession} session */
  #joinSession(session) {
    this.#session = session;
    const journal = new this.library.GroupSessionJournal(session);
    const syncChanged = () => {
      if (this.#photos !== photos) return;
      const isInSync = session.state === 'joined' && photos.isWhole;
      if (isInSync !== this.gallery.sharing.isInSync) this.gallery.setSharing({ isInSync });
    };
    const photos = new PhotoSession(this.gallery, session.id, journal, this.now, syncChanged);
    this.#photos = photos;
    session.addEventListener('statechange', () => {
      syncChanged();
      if (session.state === 'invalidated') this.#sessionOver(session);
    });
    session.addEventListener('divergence', () => this.#diverged(session));
    const messenger = new this.library.GroupSessionMessenger(session);
    this.#remarkSession = new RemarkSession({ gallery: this.gallery, remarks: this.#remarks, session, messenger, person: this.person });
    this.gallery.setSharing({ session: 'joined', isStarting: false, isInSync: false, reason: null });
    this.#remarkSession.follow();
    this.following.begin(session, messenger);
    photos.follow();
    session.join();
  }

  /** Once seen it stays true of this server, whatever session or participation follows. @param {GroupSession} session */
  #diverged(session) {
    const names = session.divergentParticipants.map(({ name }) => name);
    this.gallery.setSharing({ divergent: [...new Set([...this.gallery.sharing.divergent, ...names])] });
  }

  /** @param {GroupSession} session */
  #sessionOver(session) {
    if (session !== this.#session) return;
    const reason = causeOf(session.invalidationReason);
    // The conversation's own end says more than this.
    if (reason.code === 'conversation-closed') return;
    const isEnd = reason.code === 'ended' || reason.code === 'left';
    this.#closeSession(isEnd ? 'ended' : 'broken');
    this.gallery.setSharing({ reason });
    const next = isEnd ? this.#others.find((other) => other.state === 'waiting') : undefined;
    this.#others = this.#others.filter((other) => other !== next);
    if (next) this.#joinSession(next);
  }

  /** @param {import('./model.js').SharingState['session']} session */
  #closeSession(session) {
    const photos = this.#photos;
    this.#photos = null;
    this.#session = null;
    photos?.close();
    this.#remarkSession?.close();
    this.following.close();
    this.#remarkSession = null;
    this.gallery.setSharing({ session, isStarting: false, isInSync: false });
  }
}

/** @param {Conversation} conversation */
function peopleOf(conversation) {
  return conversation.participants.map(({ id, name, isLocal, isAway }) => ({ id, name, isLocal, isAway }));
}

/** @param {number} milliseconds @returns {Promise<void>} */
function wait(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
