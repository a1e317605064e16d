// The people of a conversation as an app sees them: values, a new one whenever something about one changes.

/** One device in one conversation. `name` is text from a stranger. @typedef {Readonly<{ id: string, name: string, isLocal: boolean, isAway: boolean }>} Participant */

export class Participants {
  /** In the conversation, in order of coming. @type {readonly Participant[]} */
  present = Object.freeze([]);
  /** Everybody who was ever there. @type {Map<string, Participant>} */
  #known = new Map();

  /**
   * @param {import('./conversation-state.js').ConversationState} state
   * @returns {boolean} whether anything changed
   */
  update(state) {
    for (const [id, { name }] of state.introductions) {
      const isLocal = id === state.localId;
      // Ourselves we are never away from; an away time that only the relay saw is no news to us.
      const isAway = !isLocal && state.own.present.get(id)?.isConnected === false;
      const known = this.#known.get(id);
      if (known?.name !== name || known.isAway !== isAway) this.#known.set(id, Object.freeze({ id, name, isLocal, isAway }));
    }
    const present = this.all(state.participantIds);
    const isChanged = present.length !== this.present.length || present.some((participant, index) => participant !== this.present[index]);
    if (isChanged) this.present = present;
    return isChanged;
  }

  /** @param {string} id @returns {Participant | null} also of who has left */
  get(id) {
    return this.#known.get(id) ?? null;
  }

  /** @param {Iterable<string>} ids @returns {readonly Participant[]} */
  all(ids) {
    return Object.freeze([...ids].flatMap((id) => this.#known.get(id) ?? []));
  }
}
