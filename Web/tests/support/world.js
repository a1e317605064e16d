// Tells the story of a test: some participants, one relay in memory, and time that passes when nothing else can happen.

import { Conversation } from '../../groupactivities/index.js';
import { VirtualClock } from './clock.js';
import { FakeRelay } from './fake-relay.js';
import { Person, drawing } from './person.js';

const origin = 'https://relay.example';

export class World {
  clock = new VirtualClock();
  relay = new FakeRelay(this.clock);
  environment = {
    network: { WebSocket: this.relay.WebSocket, fetch: this.relay.fetch },
    setTimeout: this.clock.setTimeout,
    clearTimeout: this.clock.clearTimeout,
    now: this.clock.now,
    date: () => new Date(0),
    random: () => 0.5,
  };

  /** @param {string} name */
  async create(name) {
    return new Person(await this.clock.wait(Conversation.create({ relay: origin, name, environment: this.environment })));
  }

  /** @param {Person} host @param {string} name */
  async join(host, name) {
    return new Person(await this.clock.wait(Conversation.join(host.conversation.invitation, { name, environment: this.environment })));
  }

  /** Everybody in a conversation, and in one session of it. @param {...string} names */
  async together(...names) {
    const host = await this.create(names[0]);
    const people = [host];
    for (const name of names.slice(1)) people.push(await this.join(host, name));
    await this.clock.wait(host.conversation.activate({ activityIdentifier: drawing, activity: { title: 'Plan' } }));
    await this.until(() => people.every(({ offered }) => offered.length === 1));
    for (const person of people) person.join();
    await this.until(() => people.every(({ session }) => session.activeParticipants.length === people.length));
    return people;
  }

  /** @param {() => unknown} condition */
  until(condition) {
    return this.clock.until(condition);
  }

  /** @template T @param {Promise<T>} promise */
  wait(promise) {
    return this.clock.wait(promise);
  }

  /** @param {Promise<unknown>} promise @returns {Promise<any>} the error that it is rejected with */
  failure(promise) {
    return this.wait(promise.then(() => null, (error) => error));
  }

  get conversation() {
    return [...this.relay.conversations.values()][0];
  }
}
