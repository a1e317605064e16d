// One run of an activity as an app holds it: GroupActivities' GroupSession.

/** @typedef {import('./errors.js').HearthError} HearthError */
/** @typedef {import('./participant.js').Participant} Participant */
/** @typedef {import('./session-port.js').SessionPort} SessionPort */

/** How the library's own parts reach a session's inside; not exported to apps. */
export const portOf = /** @type {WeakMap<GroupSession, SessionPort>} */ (new WeakMap());

/**
 * Never made by an app: it comes out of `conversation.sessions(…)`. Events: `statechange`, `activeparticipantschange`, `activitychange`, `activityerror`, `divergence`.
 */
export class GroupSession extends EventTarget {
  #port;
  #participants;
  #announcement;
  #replace;
  /** @type {readonly Participant[]} */
  #active = [];

  /**
   * @param {object} options
   * @param {SessionPort} options.port
   * @param {import('./conversation-state.js').Announcement} options.announcement
   * @param {import('./participant.js').Participants} options.participants
   * @param {(activity: unknown) => Promise<void>} options.replace announces another activity
   */
  constructor({ port, announcement, participants, replace }) {
    super();
    this.#port = port;
    this.#announcement = announcement;
    this.#participants = participants;
    this.#replace = replace;
    portOf.set(this, port);
    port.listen({
      onPhase: () => {
        this.participantsChanged();
        this.dispatchEvent(new Event('statechange'));
      },
      onDivergence: () => this.dispatchEvent(new Event('divergence')),
    });
  }

  /** Equal for everyone in it. */
  get id() {
    return this.#port.id;
  }

  get activityIdentifier() {
    return this.#announcement.activityIdentifier;
  }

  /**
   * Any JSON value. Setting it replaces it for all, in place; the last in log order wins, and until the relay has answered this stays the old one.
   * One that does not arrive (above 128 KiB sealed, with the metadata: `entry-too-large`) is told by the event `activityerror`, whose `error` is a HearthError.
   */
  get activity() {
    return this.#announcement.activity;
  }

  set activity(activity) {
    if (this.state === 'invalidated') return;
    this.#replace(activity).catch((/** @type {unknown} */ error) => this.dispatchEvent(Object.assign(new Event('activityerror'), { error })));
  }

  /** Any JSON value, as the starter gave it. */
  get metadata() {
    return this.#announcement.metadata;
  }

  /** Whether this participant started it. */
  get isLocallyInitiated() {
    return this.#announcement.initiatorId === this.#port.localId;
  }

  /** `waiting`, `joined` or `invalidated`. There is no way back from `invalidated`. */
  get state() {
    return this.#port.phase;
  }

  /** Once invalidated: `left`, `ended`, `gap`, `tampered`, `not-permitted` or `conversation-closed`; else null. @returns {HearthError | null} */
  get invalidationReason() {
    return this.#port.reason;
  }

  /** Who has joined, the local participant included; empty unless joined. @returns {readonly Participant[]} */
  get activeParticipants() {
    return this.#active;
  }

  /**
   * Who has been shown another course of events than we have: the relay lies to them or to us, and nobody can tell to whom. Grows, each time with the event `divergence`;
   * the session goes on.
   * @returns {readonly Participant[]}
   */
  get divergentParticipants() {
    return this.#port.divergentParticipants;
  }

  get localParticipant() {
    return /** @type {Participant} */ (this.#participants.get(this.#port.localId));
  }

  /** Begins to take part. Does nothing when that was asked for before, or when the session is invalidated. */
  join() {
    this.#port.join();
  }

  /** Leaves this session, not the conversation, which offers the session again as a new object. */
  leave() {
    this.#port.leave();
  }

  /** Ends it for everyone. */
  end() {
    this.#port.end();
  }

  /** @param {import('./conversation-state.js').Announcement} announcement @internal */
  update(announcement) {
    const isChanged = JSON.stringify([announcement.activity, announcement.metadata]) !== JSON.stringify([this.activity, this.metadata]);
    this.#announcement = { ...announcement, initiatorId: this.#announcement.initiatorId };
    if (isChanged) this.dispatchEvent(new Event('activitychange'));
  }

  /** Somebody came, went, or is called otherwise. @internal */
  participantsChanged() {
    const active = this.#port.activeParticipants;
    if (active.length === this.#active.length && active.every((participant, index) => participant === this.#active[index])) return;
    this.#active = active;
    this.dispatchEvent(new Event('activeparticipantschange'));
  }
}
