// Kills participants (`kill -9`) in the middle of their words: the others see them away, then gone; what they knew to be safe stays; and whoever comes in their place has everything.

import assert from 'node:assert/strict';

import { begun } from './crowd.mjs';
import { sleep } from './patience.mjs';

/** @typedef {import('./crowd.mjs').Crowd} Crowd */
/** @typedef {import('./crowd.mjs').Kind} Kind */
/** @typedef {import('./witness.mjs').Witness} Witness */

/** @type {readonly Kind[]} */
const mortals = ['swift', 'page', 'node'];
/** A place is given up at the end of its time; a clock of the relay's that ticks in whole seconds may not end it sooner than so. */
const tickMilliseconds = 1_000;

export class Deaths {
  /** @type {Map<Kind, number>} */
  counts = new Map(mortals.map((kind) => [kind, 0]));
  #crowd;
  #dice;
  #returns;
  #lastMortal = 0;

  /**
   * @param {Crowd} crowd
   * @param {import('../../Fuzzing/mutation.mjs').Mutation} dice
   * @param {import('./returns.mjs').Returns} returns
   */
  constructor(crowd, dice, returns) {
    this.#crowd = crowd;
    this.#dice = dice;
    this.#returns = returns;
  }

  get #nextMortal() {
    this.#lastMortal = (this.#lastMortal + 1) % mortals.length;
    return mortals[this.#lastMortal];
  }

  /** @param {Kind} kind @param {boolean} withRelay */
  async #kill(kind, withRelay) {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const dying = this.#crowd.residentOf(kind);
    this.#crowd.strike(dying);
    const { standing, doubtfulCount } = await dying.kill({ withRelay });
    this.#crowd.doubtfulCount += doubtfulCount;
    // Somebody has to answer for it from now on.
    this.#crowd.people[0].standing.push(...standing);
    return { dying, kind, standing };
  }

  /**
   * While the relay is killed too: one dies at some moment, and comes back at once as somebody new.
   * @param {import('./crowd.mjs').Round} round
   */
  async oneDies(round) {
    await sleep(this.#dice.below(800));
    const { kind } = await this.#kill(this.#nextMortal, true);
    const next = await this.#crowd.come(kind, true);
    await this.#crowd.talk(next, round);
  }

  /**
   * While the relay lives: two die one after the other. One comes back at once, the other once the place is given up.
   * @param {number} windowSeconds for so long a place is kept
   */
  async twoDie(windowSeconds) {
    const crowd = this.#crowd;
    const round = { isOver: false };
    const [first, second] = [this.#nextMortal, this.#nextMortal];
    const work = begun('the work of those who die is done', Promise.all([crowd.work(round), ...[first, second].map((kind) => crowd.share(crowd.residentOf(kind), round))]));
    await sleep(this.#dice.below(400));
    const started = performance.now();
    const dead = [await this.#kill(first, false)];
    await sleep(this.#dice.below(200));
    dead.push(await this.#kill(second, false));
    const survivors = [...crowd.people];
    const ids = dead.map(({ dying }) => dying.id);
    await crowd.until('the dead are away for all', () => living(survivors).every(({ people }) => ids.every((id) => people.away.has(id) || !people.ids.has(id))));
    this.#returns.note(`${dead.map(({ dying }) => dying.name).join(', ')} are seen to be away`, performance.now() - started);
    const gone = begun('the dead are gone', this.#untilGone(ids, survivors, started, windowSeconds));
    const next = await crowd.come(first, true);
    round.isOver = true;
    await work;
    await this.#loadAll(next);
    await gone;
    const departed = [...crowd.departed].map(({ id }) => id);
    await crowd.until('all who left or died are gone for all', () => crowd.people.every(({ people }) => departed.every((id) => !people.ids.has(id))));
    await crowd.bury();
    await this.#clear();
    for (const { dying } of dead) await this.#checkLastWords(dying, survivors);
    await crowd.settle();
    await this.#loadAll(await crowd.come(second, true));
    await crowd.settle();
  }

  /** Somebody new, with the same invitation, sees and loads all that there is. @param {Witness} newcomer */
  async #loadAll(newcomer) {
    await this.#crowd.settle();
    for (const shared of this.#crowd.people.flatMap(({ standing }) => standing)) await this.#crowd.load(newcomer, shared);
  }

  /** @param {string[]} ids @param {Witness[]} survivors @param {number} started @param {number} windowSeconds */
  async #untilGone(ids, survivors, started, windowSeconds) {
    await this.#crowd.until('the first place of the dead is given up', () => living(survivors).some(({ people }) => ids.some((id) => !people.ids.has(id))));
    const kept = performance.now() - started;
    assert.ok(kept >= windowSeconds * 1_000 - tickMilliseconds, `a place was given up after ${Math.round(kept)} ms, and is kept for ${windowSeconds} s`);
    await this.#crowd.until('the dead are gone for all', () => living(survivors).every(({ people }) => ids.every((id) => !people.ids.has(id))));
    this.#returns.note('after the time that a place is kept, the dead are gone', performance.now() - started - windowSeconds * 1_000);
  }

  /** What the dead were about to share or remove may stand or not, and is of no use here. */
  async #clear() {
    const crowd = this.#crowd;
    await crowd.until('everything that was said has its place', () => crowd.people.every((person) => person.isQuiet));
    await crowd.until('all see the same attachments', () => crowd.people.every(({ seen }) => seen.join() === crowd.people[0].seen.join()));
    const { standing } = crowd;
    const doubtful = crowd.people[0].seen.filter((id) => !standing.includes(id));
    assert.ok(doubtful.length <= crowd.doubtfulCount, `${doubtful.length} attachments stand that nobody shared, ${crowd.doubtfulCount} were in doubt`);
    for (const id of doubtful) await crowd.people[0].clear(id);
    crowd.doubtfulCount = 0;
  }

  /** All have heard the same of the dead, and no less than it knew to have its place. @param {Witness} dying @param {Witness[]} survivors */
  async #checkLastWords(dying, survivors) {
    const listeners = living(survivors);
    const heard = () => new Set(listeners.map((person) => person.heardOf(dying)).filter((count) => count !== undefined));
    await this.#crowd.until(`all have heard the same of ${dying.name}`, () => listeners.every((person) => person.hasHeard(dying)) && heard().size <= 1);
    for (const listener of listeners) listener.checkHeard(dying);
  }
}

/** Without those who have left meanwhile. @param {Witness[]} people */
function living(people) {
  return people.filter((person) => !person.isGone);
}
