// The people of a crash run and what they do: talk, share, remove, come and go; and what has to be true of all of them afterwards.

import assert from 'node:assert/strict';

import { Pages } from './pages.mjs';
import { sleep, until, waitLimitMilliseconds, within } from './patience.mjs';
import { inNode, inProcess, inSwift } from './programs.mjs';
import { Tape } from './tape.mjs';
import { Witness } from './witness.mjs';

/** `here` is node too, in the process of the run, so that what it sends and is sent can be kept on a tape. @typedef {'here' | 'node' | 'swift' | 'page'} Kind */
/** @typedef {import('./witness.mjs').Shared} Shared */
/** @typedef {{ isOver: boolean }} Round */

const attachmentCountLimit = 12;
/** Under way at once: whoever is slow does not pile up what it cannot do. */
const sharingLimit = 6;
/** They stay from the beginning to the end, except that one who is killed is followed by another of its kind. @type {readonly Kind[]} */
const residentKinds = ['here', 'node', 'swift', 'page'];
/** Beside the residents: each hears everybody, so that the work grows with the square of their number. */
const guestLimit = 4;
/** @type {readonly Kind[]} */
const guestKinds = ['node', 'node', 'swift'];

export class Crowd {
  figures = { messages: 0, attachments: 0, loads: 0, removals: 0, joins: 0 };
  /** Who lives, in order of coming. @type {Witness[]} */
  people = [];
  /** Who left or died and may still be seen, away, until its place is given up. @type {Set<Witness>} */
  departed = new Set();
  /** So many attachments of the dead may stand or not. */
  doubtfulCount = 0;
  /** What was removed stays away. @type {Set<string>} */
  #removed = new Set();
  #dice;
  #pages = new Pages();
  #pageCount = 0;
  /** By name. @type {Map<string, Tape>} */
  #tapes = new Map();
  /** Everybody there ever was. @type {Map<Witness, Kind>} */
  #kinds = new Map();
  /** @type {Set<Witness>} */
  #residents = new Set();
  #link = '';

  /** @param {import('../../Fuzzing/mutation.mjs').Mutation} dice */
  constructor(dice) {
    this.#dice = dice;
  }

  /** @param {string} relay */
  async gather(relay) {
    await this.#pages.start();
    const host = this.#make('Host', 'here');
    await host.create(relay);
    this.#link = host.link;
    await this.#enter(host, true);
    for (const kind of residentKinds.slice(1)) await this.come(kind, true);
  }

  /** Everybody loads something, everything is loaded, and all leave. */
  async part() {
    await this.settle();
    for (const owner of this.people) {
      for (const shared of owner.standing) await this.load(this.#dice.pick(this.people.filter((person) => person !== owner)), shared);
    }
    for (const person of this.people) await person.leave();
  }

  /** Nothing of it goes on, even if something of it does not end as it should. */
  async end() {
    await Promise.allSettled([...this.#kinds.keys()].map((person) => person.end()));
    this.#pages.stop();
  }

  /**
   * @param {string} what
   * @param {() => unknown} condition
   * @param {number} [limitMilliseconds]
   */
  async until(what, condition, limitMilliseconds) {
    const checked = () => {
      for (const person of this.people) person.check();
      return condition();
    };
    await until(what, checked, { limitMilliseconds, explain: () => this.people.join('\n') });
  }

  /** @param {string} name @param {Kind} kind */
  #make(name, kind) {
    const witness = new Witness(name, (tell) => {
      if (kind === 'swift') return inSwift(tell);
      if (kind === 'node') return inNode(tell);
      if (kind === 'page') {
        this.#pageCount += 1;
        return this.#pages.open(tell, this.#pageCount % 2 === 0);
      }
      const tape = new Tape();
      this.#tapes.set(name, tape);
      return inProcess(tell, tape.WebSocket);
    });
    this.#kinds.set(witness, kind);
    return witness;
  }

  /** @param {Witness} person @param {boolean} isResident */
  async #enter(person, isResident) {
    if (isResident) this.#residents.add(person);
    this.people.push(person);
    await this.until(`${person.name} is in the session`, () => person.isIn);
  }

  /** @param {Kind} kind @param {boolean} [isResident] */
  async come(kind, isResident = false) {
    this.figures.joins += 1;
    const person = this.#make(`${isResident ? 'Resident' : 'Guest'} ${this.figures.joins} (${kind})`, kind);
    const started = performance.now();
    // Who was never let in gives up after four attempts, and a person then tries again.
    while (!await person.join(this.#link)) {
      assert.ok(performance.now() - started < waitLimitMilliseconds, `not within ${waitLimitMilliseconds} ms: ${person.name} can reach the relay`);
      await sleep(100);
    }
    await this.#enter(person, isResident);
    return person;
  }

  /** @param {Witness} person */
  kindOf(person) {
    return /** @type {Kind} */ (this.#kinds.get(person));
  }

  /** @param {Kind} kind */
  residentOf(kind) {
    const resident = this.people.find((person) => this.#residents.has(person) && this.kindOf(person) === kind);
    assert.ok(resident, `a resident of ${kind}`);
    return resident;
  }

  /** Of whoever is not among the people any more. @param {Witness} person */
  strike(person) {
    this.people = this.people.filter((each) => each !== person);
    this.departed.add(person);
  }

  /** Those who left or died, and are gone for everybody, are no more. */
  async bury() {
    for (const person of this.departed) await person.end();
    this.departed.clear();
  }

  // What they do.

  /** @param {Round} round whoever is told to works until it is over */
  work(round) {
    const sharer = this.#dice.pick(this.people.filter((person) => this.#residents.has(person)));
    const work = [...this.people.map((person) => this.talk(person, round)), this.share(sharer, round)];
    if (this.#dice.below(3) === 0) work.push(this.#comeAndGo(round));
    return begun('the work of a round is done', Promise.all(work));
  }

  /** @param {Witness} person @param {Round} round */
  async talk(person, round) {
    while (!round.isOver && !person.isGone) {
      this.figures.messages += 1;
      person.say(this.#dice.below(100) === 0 ? 50_000 : this.#dice.below(200));
      await sleep(40 + this.#dice.below(160));
    }
  }

  /** @param {Witness} person @param {Round} round */
  async share(person, round) {
    while (!round.isOver && !person.isGone) {
      if (person.standing.length >= attachmentCountLimit) {
        this.figures.removals += 1;
        const [{ id }] = person.standing.splice(this.#dice.below(person.standing.length), 1);
        await person.remove(id);
        // Who was killed meanwhile does not know what became of it.
        if (!person.isGone) this.#removed.add(id);
      } else if (person.countOf('add') < sharingLimit) {
        this.figures.attachments += 1;
        void person.add(1_000 + this.#dice.below(3) * 1_300_000, this.figures.attachments);
      }
      await sleep(50 + this.#dice.below(100));
    }
  }

  /** @param {Round} round */
  async #comeAndGo(round) {
    await sleep(this.#dice.below(100));
    const guest = await this.come(this.#dice.pick(guestKinds));
    const talk = this.talk(guest, round);
    await sleep(this.#dice.below(150));
    const guests = this.people.filter((person) => !this.#residents.has(person));
    if (guests.length > guestLimit || (guests.length > guestLimit / 2 && this.#dice.below(2) === 0)) {
      this.strike(guests[0]);
      await guests[0].leave();
    }
    await talk;
  }

  /** @param {Witness} reader @param {Shared} shared */
  async load(reader, shared) {
    this.figures.loads += 1;
    await reader.load(shared);
  }

  // What has to be true.

  /** What somebody has shared and nobody has removed, in order of names. */
  get standing() {
    return this.people.flatMap((person) => person.standing.map(({ id }) => id)).sort();
  }

  /** Everything that was said has its place, everybody has heard it, and all see the same people and attachments. */
  async settle() {
    await this.until('everything that was said has its place', () => this.people.every((person) => person.isQuiet));
    await this.until('everybody has heard everything', () => this.people.every((listener) => this.people.every((sender) => listener.hasHeard(sender))));
    await this.until('all see everybody, and nobody else', () => this.people.every((person) => this.#seesPeople(person)));
    await this.until('all see the attachments that stand', () => this.people.every((person) => this.#seesStanding(person)));
    for (const listener of this.people) for (const sender of this.people) listener.checkHeard(sender);
    const owners = this.people.filter((person) => person.standing.length > 0);
    if (owners.length === 0) return;
    const owner = this.#dice.pick(owners);
    await this.load(this.#dice.pick(this.people.filter((person) => person !== owner)), this.#dice.pick(owner.standing));
  }

  /** @param {Witness} person */
  #seesPeople({ people: { ids, away } }) {
    const departed = new Set([...this.departed].map(({ id }) => id));
    return this.people.every(({ id }) => ids.has(id) && !away.has(id)) && [...ids].filter((id) => !departed.has(id)).length === this.people.length;
  }

  /** @param {Witness} person */
  #seesStanding({ seen }) {
    const { standing } = this;
    const ids = new Set(seen);
    return standing.every((id) => ids.has(id)) && !seen.some((id) => this.#removed.has(id)) && seen.length <= standing.length + this.doubtfulCount && seen.join() === this.people[0].seen.join();
  }

  /** Where what the participants of this process sent and were sent last is written to. */
  writeTapes() {
    return [...this.#tapes].map(([name, tape]) => tape.write(name));
  }
}

/**
 * Ends in its time, after what it waits for itself has had its own, and whoever waits for it later hears of what fails now.
 * @param {string} what
 * @param {Promise<unknown>} work
 */
export function begun(what, work) {
  const limited = within(what, work, 2 * waitLimitMilliseconds);
  limited.catch(() => {});
  return limited;
}
