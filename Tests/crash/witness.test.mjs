// What a witness notices: without it a crash run could not fail.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { Witness } from './witness.mjs';

/** @typedef {import('./performer.mjs').Told} Told */

/** @type {Witness[]} */
const witnesses = [];
// Nobody waits for what a test has left unanswered.
afterEach(async () => {
  for (const witness of witnesses.splice(0)) await witness.kill({ withRelay: false });
});

/** A participant that says what it is made to say, and by itself nothing. @param {string} name */
function participant(name) {
  /** @type {(told: Told) => void} */
  let tell = () => {};
  /** @type {import('./performer.mjs').Order[]} */
  const orders = [];
  const witness = new Witness(name, (listen) => {
    tell = listen;
    return { order: (order) => void orders.push(order), kill: () => Promise.resolve(), end: () => Promise.resolve() };
  });
  witness.id = name;
  witnesses.push(witness);
  const answer = (/** @type {Partial<Told>} */ told = {}) => tell({ event: 'answered', ask: orders.shift()?.ask, ...told });
  return { witness, tell, answer };
}

/** @param {ReturnType<typeof participant>} listener @param {string} from @param {...number} numbers */
function hear(listener, from, ...numbers) {
  for (const number of numbers) listener.tell({ event: 'heard', from, number });
}

/** @param {ReturnType<typeof participant>} sender @param {number} count @param {number} acknowledgedCount */
async function speak(sender, count, acknowledgedCount) {
  for (let number = 0; number < count; number += 1) sender.witness.say(10);
  for (let number = 0; number < acknowledgedCount; number += 1) sender.answer();
  await settled();
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('messages that come one after the other are no complaint', () => {
  const ben = participant('Ben');
  hear(ben, 'Ana', 4, 5, 6);
  ben.witness.check();
});

test('a message that is missing is noticed', () => {
  const ben = participant('Ben');
  hear(ben, 'Ana', 0, 2);
  assert.throws(() => ben.witness.check(), /of Ana: 2 instead of 1/);
});

test('a message that comes twice is noticed', () => {
  const ben = participant('Ben');
  hear(ben, 'Ana', 0, 1, 1);
  assert.throws(() => ben.witness.check(), /of Ana: 1 instead of 2/);
});

test('the last message is missed until it is heard', async () => {
  const [ana, ben] = [participant('Ana'), participant('Ben')];
  await speak(ana, 3, 0);
  hear(ben, 'Ana', 0, 1);
  assert.equal(ben.witness.hasHeard(ana.witness), false);
  hear(ben, 'Ana', 2);
  assert.equal(ben.witness.hasHeard(ana.witness), true);
});

test('who hears nothing misses what was said since it was met, and nothing from before', async () => {
  const [ana, ben] = [participant('Ana'), participant('Ben')];
  await speak(ana, 3, 3);
  assert.equal(ben.witness.hasHeard(ana.witness), true);
  ana.tell({ event: 'met', id: 'Ben', number: 3 });
  assert.equal(ben.witness.hasHeard(ana.witness), true);
  await speak(ana, 1, 0);
  assert.equal(ben.witness.hasHeard(ana.witness), false);
});

test('the beginning of what is said to a newcomer is not lost without being noticed', async () => {
  const [ana, ben] = [participant('Ana'), participant('Ben')];
  await speak(ana, 3, 3);
  ana.tell({ event: 'met', id: 'Ben', number: 3 });
  await speak(ana, 3, 3);
  hear(ben, 'Ana', 4, 5);
  assert.throws(() => ben.witness.checkHeard(ana.witness), /Ben was there when Ana said 3, and heard it from 4 on/);
});

test('more than was said is noticed', async () => {
  const [ana, ben] = [participant('Ana'), participant('Ben')];
  await speak(ana, 1, 1);
  hear(ben, 'Ana', 0, 1);
  assert.throws(() => ben.witness.checkHeard(ana.witness), /Ben heard 2 messages of Ana, who said 1/);
});

test('of one who was killed all is owed that it knew to have its place, and nothing more', async () => {
  const [ana, ben] = [participant('Ana'), participant('Ben')];
  await speak(ana, 5, 3);
  await ana.witness.kill({ withRelay: false });
  hear(ben, 'Ana', 0, 1);
  assert.equal(ben.witness.hasHeard(ana.witness), false);
  hear(ben, 'Ana', 2);
  assert.equal(ben.witness.hasHeard(ana.witness), true);
});

test('what one who was killed was about to share or remove is in doubt, and what it knew to be whole is not', async () => {
  const ana = participant('Ana');
  const adding = ana.witness.add(10, 1);
  ana.answer({ id: 'whole' });
  await adding;
  void ana.witness.add(20, 2);
  void ana.witness.remove('old');
  const { standing, doubtfulCount } = await ana.witness.kill({ withRelay: false });
  assert.deepEqual(standing, [{ id: 'whole', length: 10, seed: 1 }]);
  assert.equal(doubtfulCount, 2);
});

test('nobody waits any longer for the answers of one who was killed', async () => {
  const ana = participant('Ana');
  const removal = ana.witness.remove('old');
  await ana.witness.kill({ withRelay: false });
  await removal;
  ana.witness.check();
});

test('what fails is a complaint', async () => {
  const ana = participant('Ana');
  const adding = ana.witness.add(10, 1);
  ana.answer({ error: 'disk full' });
  await adding;
  assert.throws(() => ana.witness.check(), /Ana, an attachment of 10 bytes: disk full/);
});

test('who complains is not waited for', async () => {
  const ana = participant('Ana');
  const joining = ana.witness.join('link');
  ana.tell({ event: 'complaint', text: 'the program ended by itself: 1' });
  await assert.rejects(joining, /the program ended by itself: 1/);
});

test('a relay that cannot be reached is told apart from every other failure', async () => {
  const ana = participant('Ana');
  const first = ana.witness.join('link');
  ana.answer({ error: 'relay-unreachable: The relay cannot be reached' });
  assert.equal(await first, false);
  const second = ana.witness.join('link');
  ana.answer({ error: 'unknown-conversation: There is no such conversation' });
  await assert.rejects(second, /no such conversation/);
});
