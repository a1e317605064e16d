// What one participant of a crash run has said, shared and heard, as far as anybody was told: finds what is lost, comes twice or out of order.

import assert from 'node:assert/strict';

import { within } from './patience.mjs';

/** @typedef {import('./performer.mjs').Order} Order */
/** @typedef {import('./performer.mjs').Told} Told */
/** @typedef {import('./programs.mjs').Program} Program */
/** An attachment and what it holds. @typedef {{ id: string, length: number, seed: number }} Shared */
/** @typedef {{ what: string, order: Omit<Order, 'ask'>, resolve(told: Told): void, reject(error: Error): void }} Question */

export class Witness {
  id = '';
  link = '';
  /** Own attachments that are whole on the relay, so that nothing may take them away. @type {Shared[]} */
  standing = [];
  /** Left or was killed: it tells nothing any more. */
  isGone = false;
  isConnected = false;
  /** In the session, with the whole journal. */
  isIn = false;
  /** Everybody in the conversation as it sees them, and those of them who are away. */
  people = /** @type {{ ids: ReadonlySet<string>, away: ReadonlySet<string> }} */ ({ ids: new Set(), away: new Set() });
  /** What it sees of everybody's attachments, in order of their names. @type {string[]} */
  seen = [];
  /** Messages are numbered from 0; so many it was told to say. */
  said = 0;
  /** So many have had their place, as far as it knew. */
  #acknowledged = 0;
  /** Died in the same moments as the relay, so that nobody was left who could have said it again (docs/decisions/0003). */
  #diedWithRelay = false;
  /** How much had been said when each of the others was there first. @type {Map<string, number>} */
  #saidBefore = new Map();
  /** The first number heard of each sender. @type {Map<string, number>} */
  #first = new Map();
  /** The next number expected of each sender. @type {Map<string, number>} */
  #next = new Map();
  /** @type {Map<number, Question>} */
  #questions = new Map();
  #lastAsk = 0;
  /** @type {Program} */
  #program;
  /** @type {string[]} */
  #complaints = [];

  /** @param {string} name @param {(tell: (told: Told) => void) => Program} program */
  constructor(name, program) {
    this.name = name;
    this.#program = program((told) => this.#hear(told));
  }

  /** @param {Told} told */
  #hear(told) {
    // What it was told to do before it went has been done all the same.
    if (this.isGone && told.event !== 'answered') return;
    switch (told.event) {
      case 'answered':
        return this.#answered(told);
      case 'standing':
        this.isConnected = told.isConnected === true;
        this.isIn = told.isIn === true;
        return;
      case 'people':
        this.people = { ids: new Set(told.ids), away: new Set(told.away) };
        return;
      case 'met':
        this.#saidBefore.set(String(told.id), Number(told.number));
        return;
      case 'sees':
        this.seen = [...told.ids ?? []].sort();
        return;
      case 'heard':
        return this.#heard(String(told.from), Number(told.number));
      case 'complaint':
        return this.#complain(String(told.text));
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.#complaints.push(text);
    // Whoever cannot do its work will not answer either.
    for (const { reject } of this.#takeQuestions()) reject(new Error(`${this.name}: ${text}`));
  }

  #takeQuestions() {
    const questions = [...this.#questions.values()];
    this.#questions.clear();
    return questions;
  }

  /** @param {string} from @param {number} number */
  #heard(from, number) {
    const expected = this.#next.get(from);
    if (expected === undefined) this.#first.set(from, number);
    else if (number !== expected) this.#complain(`of ${from}: ${number} instead of ${expected}`);
    this.#next.set(from, number + 1);
  }

  /** @param {Told} told */
  #answered({ ask, error, ...rest }) {
    const question = this.#questions.get(Number(ask));
    this.#questions.delete(Number(ask));
    if (error === undefined) question?.resolve({ ...rest });
    else question?.reject(new Error(`${this.name}, ${question.what}: ${error}`));
  }

  /** @param {string} what @param {Omit<Order, 'ask'>} order @returns {Promise<Told>} */
  #ask(what, order) {
    this.#lastAsk += 1;
    const ask = this.#lastAsk;
    const answer = /** @type {Promise<Told>} */ (new Promise((resolve, reject) => this.#questions.set(ask, { what, order, resolve, reject })));
    this.#program.order({ ...order, ask });
    return within(`${this.name}, ${what}: an answer`, answer);
  }

  /** What fails is a complaint. @template T @param {Promise<T>} work */
  async #expect(work) {
    try {
      await work;
    } catch (error) {
      // What follows from a complaint is none of its own.
      if (!this.isGone && this.#complaints.length === 0) this.#complain(String(error));
    }
  }

  /** @param {string} relay */
  async create(relay) {
    const { id, link } = await this.#ask('to begin', { do: 'create', relay, name: this.name });
    this.id = String(id);
    this.link = String(link);
  }

  /** @param {string} link @returns whether the relay could be reached */
  async join(link) {
    try {
      this.id = String((await this.#ask('to join', { do: 'join', link, name: this.name })).id);
      return true;
    } catch (error) {
      if (!String(error).includes('relay-unreachable')) throw error;
      return false;
    }
  }

  /** Everything it said, shared or removed has been answered. */
  get isQuiet() {
    return this.#questions.size === 0 && this.isIn;
  }

  /** Whether all of the first so many messages of a sender are here that were said since we came. @param {Witness} sender @param {number} count */
  hasHeardFirst(sender, count) {
    if (sender === this) return true;
    // Who has said nothing since we came cannot have been missed.
    return (this.#next.get(sender.id) ?? sender.#saidBefore.get(this.id) ?? count) >= count;
  }

  /** The same for all that it owes: of one who was killed, what it knew to be safe. @param {Witness} sender */
  hasHeard(sender) {
    if (!sender.isGone) return this.hasHeardFirst(sender, sender.said);
    return sender.#diedWithRelay || this.hasHeardFirst(sender, sender.#acknowledged);
  }

  /** How far somebody has been heard. @param {Witness} sender */
  heardOf(sender) {
    return this.#next.get(sender.id);
  }

  /** Fails if the beginning of what a sender said since we came is missing, or there is more than it said. Right once all is told. @param {Witness} sender */
  checkHeard(sender) {
    const [first, met] = [this.#first.get(sender.id), sender.#saidBefore.get(this.id)];
    if (first === undefined) return;
    assert.ok(met === undefined || sender.#diedWithRelay || first <= met, `${this.name} was there when ${sender.name} said ${met}, and heard it from ${first} on`);
    const next = Number(this.#next.get(sender.id));
    assert.ok(next <= sender.said, `${this.name} heard ${next} messages of ${sender.name}, who said ${sender.said}`);
  }

  /** @param {number} length */
  say(length) {
    const number = this.said;
    this.said += 1;
    void this.#expect(this.#ask(`message ${number}`, { do: 'say', number, length }).then(() => { this.#acknowledged = Math.max(this.#acknowledged, number + 1); }));
  }

  /** Attachments on their way here or away. @param {Order['do'][]} orders */
  countOf(...orders) {
    return [...this.#questions.values()].filter(({ order }) => orders.includes(order.do)).length;
  }

  /** @param {number} length @param {number} seed */
  async add(length, seed) {
    await this.#expect(this.#ask(`an attachment of ${length} bytes`, { do: 'add', length, seed }).then(({ id }) => { this.standing.push({ id: String(id), length, seed }); }));
  }

  /** @param {string} id */
  async remove(id) {
    await this.#expect(this.#ask(`removal of ${id}`, { do: 'remove', id }));
  }

  /** Of what may be going by itself just now, so that it need not be there any more. @param {string} id */
  async clear(id) {
    await this.#ask(`removal of ${id}`, { do: 'remove', id }).catch(() => {});
  }

  /** @param {Shared} shared */
  async load({ id, length, seed }) {
    await this.#ask(`loading ${id}`, { do: 'load', id, length, seed });
  }

  async leave() {
    this.isGone = true;
    this.standing = [];
    await this.#ask('to leave', { do: 'leave' });
  }

  /**
   * Without a word to anybody, itself included.
   * @param {{ withRelay: boolean }} options whether the relay dies in the same moments
   * @returns {Promise<{ standing: Shared[], doubtfulCount: number }>} what it shared and knew to be whole; how many more may stand
   */
  async kill({ withRelay }) {
    this.isGone = true;
    this.#diedWithRelay = withRelay;
    await this.#program.kill();
    // What it was about to share may stand or not, and so may what it was about to remove.
    const doubtfulCount = this.countOf('add', 'remove');
    for (const { reject } of this.#takeQuestions()) reject(new Error(`${this.name} is dead`));
    return { standing: this.standing.splice(0), doubtfulCount };
  }

  /** Nothing of it goes on, whatever became of it. */
  async end() {
    this.isGone = true;
    await this.#program.end();
  }

  /** Fails if something was lost, came twice or out of order. */
  check() {
    assert.deepEqual(this.#complaints.slice(0, 5), [], this.name);
  }

  toString() {
    const questions = [...this.#questions.values()].map(({ what }) => what);
    const asked = questions.length > 0 ? `${questions.length} answers, first of ${questions.slice(0, 3).join(', ')}` : 'nothing';
    const heard = [...this.#next].map(([id, next]) => `${id.slice(0, 4)}:${next}`).join(' ');
    return `${this.name} ${this.id}: ${this.isConnected ? 'connected' : 'not connected'}, ${this.isIn ? 'in' : 'not in'}, said ${this.said}, sees ${this.seen.length} attachments and ${this.people.ids.size} people, heard ${heard}, waits for ${asked}`;
  }
}
