// The browser's conversation against the relay itself. Needs `node --test --experimental-websocket` and the relay, built or named by HEARTH.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Conversation, Invitation } from '../../groupactivities/index.js';
import { Person, drawing, isSame, photo } from '../support/person.js';
import { RelayProcess, until } from './relay-process.js';

const options = { timeout: 60_000 };
const relay = new RelayProcess();
before(() => relay.start());
after(() => relay.erase());

/** Waits between attempts shrink to nothing, for the test waits for conditions and not for time. */
const hurried = {
  setTimeout: (/** @type {() => void} */ callback, /** @type {number} */ milliseconds) => setTimeout(callback, milliseconds),
  random: () => 0,
};

/** @param {...string} names */
async function together(...names) {
  const host = new Person(await Conversation.create({ relay: relay.origin, name: names[0], environment: hurried }));
  const people = [host];
  for (const name of names.slice(1)) people.push(await enter(host, name));
  await host.conversation.activate({ activityIdentifier: drawing, activity: { title: 'Plan' } });
  await until(() => people.every(({ offered }) => offered.length === 1));
  for (const person of people) person.join();
  await until(() => people.every(({ session }) => session.activeParticipants.length === people.length));
  return people;
}

/** @param {Person} host @param {string} name */
async function enter(host, name) {
  return new Person(await Conversation.join(Invitation.parse(host.conversation.invitation.link), { name, environment: hurried }));
}

/** @param {Person[]} people */
const leave = (people) => Promise.all(people.map(({ conversation }) => conversation.leave()));

test('three participants talk, one of them in private, and each hears what is meant for it, in order', options, async () => {
  const people = await together('Ana', 'Ben', 'Eva');
  const [ana, ben, eva] = people;
  const toBen = ana.session.activeParticipants.filter(({ name }) => name === 'Ben');
  await Promise.all([1, 2, 3].map((count) => ana.messenger?.send(count)));
  await ana.messenger?.send('secret', { to: toBen });
  await Promise.all([4, 5].map((count) => ana.messenger?.send(count)));
  await until(() => eva.heard.length === 5 && ben.heard.length === 6);
  assert.deepEqual(ben.heard.map(([, message]) => message), [1, 2, 3, 'secret', 4, 5]);
  assert.deepEqual(eva.heard.map(([, message]) => message), [1, 2, 3, 4, 5]);
  await leave(people);
});

test('photos are there for everyone, for who joins later, and gone when removed', options, async () => {
  const people = await together('Ana', 'Ben');
  const [ana, ben] = people;
  const item = photo(5_000_000);
  const attachment = await ana.journal?.add(item, { metadata: { title: 'Sea' } });
  await until(() => ben.attachments.length === 1);
  assert.ok(await isSame(await ben.attachments[0].load(), item));
  await attachment?.uploaded;
  const eva = await enter(ana, 'Eva');
  people.push(eva);
  await until(() => eva.offered.length === 1);
  eva.join();
  await until(() => eva.journal?.isComplete && eva.attachments.length === 1);
  assert.deepEqual(eva.attachments[0].metadata, { title: 'Sea' });
  assert.ok(await isSame(await eva.attachments[0].load(), item));
  await eva.journal?.remove(eva.attachments[0]);
  await until(() => people.every(({ attachments }) => attachments.length === 0));
  await leave(people);
});

test('leaving a session and coming back, and ending it for everyone', options, async () => {
  const people = await together('Ana', 'Ben');
  const [ana, ben] = people;
  await ben.messenger?.send('before');
  ben.session.leave();
  await until(() => ben.offered.length === 2 && ana.session.activeParticipants.length === 1);
  ben.join();
  await until(() => ben.session.state === 'joined');
  await ben.messenger?.send('after');
  await until(() => ana.heard.length === 2);
  ana.session.end();
  await until(() => people.every(({ session }) => session.state === 'invalidated'));
  assert.equal(ben.session.invalidationReason?.code, 'ended');
  await leave(people);
});

test('a link to a conversation that is not there, or with another secret, is refused with its word', options, async () => {
  const host = new Person(await Conversation.create({ relay: relay.origin, name: 'Ana' }));
  const other = Invitation.create(relay.origin);
  await assert.rejects(Conversation.join(other, { name: 'Ben' }), { code: 'unknown-conversation' });
  const { origin, conversationId } = host.conversation.invitation;
  await assert.rejects(Conversation.join(new Invitation({ origin, conversationId, secret: other.secret }), { name: 'Ben' }), { code: 'not-invited' });
  await leave([host]);
});

test('a relay that is killed in mid-upload comes back, is sent what is missing, and every message arrives once', options, async () => {
  const people = await together('Ana', 'Ben');
  const [ana, ben] = people;
  const item = photo(30_000_000);
  await ana.messenger?.send('first');
  const attachment = await ana.journal?.add(item);
  await until(() => ben.attachments.length === 1);
  const loading = ben.attachments[0].load();
  await until(() => Number(attachment?.progress.bytes) > 5_000_000);
  await relay.stop('SIGKILL');
  const sent = ana.messenger?.send('second');
  await until(() => people.every(({ conversation }) => conversation.state === 'reconnecting'));
  await relay.start();
  await sent;
  await attachment?.uploaded;
  assert.ok(await isSame(await loading, item));
  await until(() => ben.heard.length === 2);
  assert.deepEqual(ben.heard.map(([, message]) => message), ['first', 'second']);
  assert.deepEqual(people.map(({ session }) => session.state), ['joined', 'joined']);
  await leave(people);
});

test('a relay that is stopped for an upgrade is resumed by everyone, and who is removed meanwhile is missed by nobody', options, async () => {
  const people = await together('Ana', 'Ben');
  const [ana, ben] = people;
  await relay.stop('SIGTERM');
  await relay.start();
  await ana.messenger?.send('still here');
  await until(() => ben.heard.length === 1);
  await ben.conversation.leave();
  await until(() => ana.conversation.participants.length === 1);
  await leave([ana]);
});
