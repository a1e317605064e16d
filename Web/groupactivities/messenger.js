// Small messages between those who are in a session: GroupActivities' GroupSessionMessenger.

import { ValueSequence } from './async-sequence.js';
import { decodeMessage, encodeMessage } from './message-payload.js';
import { sessionInvalidated } from './refusals.js';
import { portOf } from './session.js';

/** @typedef {import('./message-payload.js').MessageIdentifier} MessageIdentifier */
/** @typedef {import('./participant.js').Participant} Participant */
/** @typedef {{ message: any, source: Participant, receivedDate: Date }} ReceivedMessage */

/** Messages kept for an identifier that nobody has asked for yet; beyond, the oldest go. */
export const unclaimedMessageCountLimit = 4_096;

/** Hears from the moment it exists: make it before `session.join()` and no message is missed. */
export class GroupSessionMessenger {
  #port;
  #isReliable;
  /** @type {Map<MessageIdentifier, Set<ValueSequence<ReceivedMessage>>>} */
  #sequences = new Map();
  /** @type {Map<MessageIdentifier, ReceivedMessage[]>} */
  #unclaimed = new Map();
  #unclaimedCount = 0;
  #isOver = false;

  /**
   * @param {import('./session.js').GroupSession} session
   * @param {{ deliveryMode?: 'reliable' | 'unreliable' }} [options] Reliable: in order, none missing, none twice. Unreliable: as soon as possible or not at all.
   *   A messenger hears what messengers of its own mode send.
   */
  constructor(session, { deliveryMode = 'reliable' } = {}) {
    const port = portOf.get(session);
    if (!port) throw new TypeError('A messenger is made for a GroupSession');
    if (deliveryMode !== 'reliable' && deliveryMode !== 'unreliable') throw new TypeError(`There is no delivery mode ${deliveryMode}`);
    this.#port = port;
    this.#isReliable = deliveryMode === 'reliable';
    this.#isOver = port.phase === 'invalidated';
    port.listen({ onMessage: (message) => this.#receive(message), onOver: () => this.#end() });
  }

  get deliveryMode() {
    return this.#isReliable ? 'reliable' : 'unreliable';
  }

  /**
   * Asked for before the session is joined, or while the connection is away, it waits and goes out by itself.
   * @param {unknown} value any JSON value, or a Uint8Array, which arrives as bytes
   * @param {{ to?: 'all' | Participant | Participant[], messageIdentifier?: string }} [options] of nobody (`[]`) nothing is sent; the identifier has at most 256 bytes and
   *   does not go with bytes
   * @returns {Promise<void>} reliable: resolves when the message has its place in the order of all; unreliable: when it was handed over, or dropped because the connection is away or behind.
   *   Rejects with `message-too-large` above 262,144 bytes (of JSON in UTF-8, or bytes), `session-invalidated`, `queue-full` (16 MiB or 16,384 messages without their place)
   */
  async send(value, { to = 'all', messageIdentifier = 'message' } = {}) {
    const content = encodeMessage(value, messageIdentifier);
    const recipients = to === 'all' ? [] : this.#recipients(Array.isArray(to) ? to : [to]);
    if (this.#isOver) throw sessionInvalidated();
    // On the wire no recipients means everyone.
    if (to !== 'all' && recipients.length === 0) return;
    await this.#port.send(this.#isReliable, { ...content, recipients });
  }

  /** @param {Participant[]} participants */
  #recipients(participants) {
    return [...new Set(participants.map(({ id }) => id))].filter((id) => id !== this.#port.localId);
  }

  /**
   * Messages of others that were sent with this identifier (`messages(Uint8Array)`: bytes), in order, from the messenger's beginning for the first who asks, from now on for
   * those who ask later. Ends when the session is invalidated.
   * @param {MessageIdentifier} [messageIdentifier]
   * @returns {AsyncIterableIterator<ReceivedMessage>}
   */
  messages(messageIdentifier = 'message') {
    const sequences = this.#sequences.get(messageIdentifier) ?? new Set();
    this.#sequences.set(messageIdentifier, sequences);
    /** @type {ValueSequence<ReceivedMessage>} */
    const sequence = new ValueSequence((ended) => sequences.delete(ended));
    sequences.add(sequence);
    const unclaimed = this.#unclaimed.get(messageIdentifier) ?? [];
    this.#unclaimed.delete(messageIdentifier);
    this.#unclaimedCount -= unclaimed.length;
    for (const message of unclaimed) sequence.push(message);
    if (this.#isOver) sequence.finish();
    return sequence;
  }

  /** @param {import('./session-port.js').ArrivedMessage} arrived */
  #receive({ isReliable, source, kind, payload }) {
    if (isReliable !== this.#isReliable) return;
    const decoded = decodeMessage(kind, payload);
    if (!decoded) return;
    const received = { message: decoded.message, source, receivedDate: this.#port.environment.date() };
    const sequences = this.#sequences.get(decoded.identifier);
    if (sequences) for (const sequence of [...sequences]) sequence.push(received);
    else this.#keep(decoded.identifier, received);
  }

  /** @param {MessageIdentifier} identifier @param {ReceivedMessage} message */
  #keep(identifier, message) {
    const kept = this.#unclaimed.get(identifier) ?? [];
    this.#unclaimed.set(identifier, kept);
    kept.push(message);
    this.#unclaimedCount += 1;
    if (this.#unclaimedCount <= unclaimedMessageCountLimit) return;
    const [oldest, messages] = /** @type {[MessageIdentifier, ReceivedMessage[]]} */ (this.#unclaimed.entries().next().value);
    messages.shift();
    if (messages.length === 0) this.#unclaimed.delete(oldest);
    this.#unclaimedCount -= 1;
  }

  #end() {
    this.#isOver = true;
    for (const sequences of [...this.#sequences.values()]) for (const sequence of [...sequences]) sequence.finish();
  }
}
