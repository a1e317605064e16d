// Which record of a sender is the next one: the rule that makes a lost or repeated record visible (docs/protocol/sealing.md).

export class SenderCounters {
  /** @type {Map<string, { next: number, isExact: boolean }>} */
  #senders = new Map();

  /**
   * After entering again: what was sent meanwhile was not for us, so the next record of each sender may be any that is newer.
   */
  rebase() {
    for (const sender of this.#senders.values()) sender.isExact = false;
  }

  /**
   * What to do with the record of `senderId` that has `counter`. The count moves on only by `accept`.
   * @param {string} senderId
   * @param {number} counter
   * @param {boolean} wasThereBefore the sender was in the conversation when we entered the session
   * @returns {'next' | 'duplicate' | 'gap'}
   */
  judge(senderId, counter, wasThereBefore) {
    const { next, isExact } = this.#senders.get(senderId) ?? { next: 0, isExact: !wasThereBefore };
    if (counter < next) return 'duplicate';
    return counter === next || !isExact ? 'next' : 'gap';
  }

  /**
   * @param {string} senderId
   * @param {number} counter
   */
  accept(senderId, counter) {
    this.#senders.set(senderId, { next: counter + 1, isExact: true });
  }
}
