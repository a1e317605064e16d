// What a relay shows to some and not to others is seen by people, and nothing that an honest one does is taken for it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { photo } from './support/person.js';
import { divergent, lieTo } from './support/liar.js';
import { World } from './support/world.js';

/** @typedef {import('./support/person.js').Person} Person */

/** Two records, given the other way round. @param {any} isMeant */
function swapping(isMeant) {
  /** @type {any} */
  let held = null;
  let isDone = false;
  return (/** @type {any} */ frame) => {
    if (isDone || frame.type !== 'ordered' || !isMeant(frame)) return [frame];
    if (held === null) {
      held = frame;
      return [];
    }
    isDone = true;
    return [frame, held];
  };
}

test('two records of two people that one person is shown in another order are told to everybody', async () => {
  const world = new World();
  const [ana, ben, cleo] = await world.together('Ana', 'Ben', 'Cleo');
  let eventCount = 0;
  cleo.session.addEventListener('divergence', () => { eventCount += 1; });
  lieTo(world, cleo, swapping(() => true));
  await world.wait(Promise.all([ana.messenger?.send('a'), ben.messenger?.send('b')]));
  await world.until(() => cleo.heard.length === 2);
  await world.until(() => divergent(cleo).length > 0 && divergent(ana).includes('Cleo') && divergent(ben).includes('Cleo'));
  assert.ok(eventCount >= 1);
  // It goes on, for everybody.
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('c')));
  await world.until(() => [ben, cleo].every(({ heard }) => heard.some(([, message]) => message === 'c')));
  assert.deepEqual([divergent(ana), divergent(ben)], [['Cleo'], ['Cleo']]);
});

test('two people who are each shown their own message first find out', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  lieTo(world, ben, swapping(() => true));
  await world.wait(Promise.all([ana.messenger?.send('a'), ben.messenger?.send('b')]));
  await world.until(() => divergent(ana).length === 1 && divergent(ben).length === 1);
});

test('an attachment that is hidden from one person is told to everybody, without a message', async () => {
  const world = new World();
  const [ana, ben, cleo] = await world.together('Ana', 'Ben', 'Cleo');
  lieTo(world, cleo, (frame) => (frame.type === 'entry' ? [] : [frame]));
  await world.wait(/** @type {any} */ (ana.journal?.add(photo(10_000))));
  await world.until(() => divergent(cleo).length > 0 && divergent(ana).includes('Cleo') && divergent(ben).includes('Cleo'));
  assert.equal(cleo.attachments.length, 0);
  assert.deepEqual([divergent(ana), divergent(ben)], [['Cleo'], ['Cleo']]);
});

test('an attachment that is hidden behind a record of nobody is told', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const nobody = 'AAAAAAAAAAAAAAAAAAAAAQ';
  let counter = 0;
  // The places stay as they are: only the links tell.
  lieTo(world, ben, (frame) => {
    if (frame.type !== 'entry') return [frame];
    counter += 1;
    return [{ type: 'skipped', sender: nobody, counter: counter - 1 }];
  });
  await world.wait(/** @type {any} */ (ana.journal?.add(photo(10_000))));
  await world.until(() => divergent(ben).length === 1);
  assert.equal(ben.attachments.length, 0);
});

test('what was said of the log to one person is said to the others too', async () => {
  const world = new World();
  const [ana, ben, cleo] = await world.together('Ana', 'Ben', 'Cleo');
  let isHidden = false;
  lieTo(world, cleo, (frame) => {
    if (isHidden || frame.type !== 'ordered') return [frame];
    isHidden = true;
    return [{ type: 'skipped', sender: 'AAAAAAAAAAAAAAAAAAAAAQ', counter: 0 }];
  });
  // Ben's, which Cleo is not shown; then Ana speaks, to Ben, and to everyone.
  await world.wait(/** @type {Promise<void>} */ (ben.messenger?.send('hidden')));
  await world.until(() => ana.heard.length === 1);
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('for Ben', { to: ana.session.activeParticipants[1] })));
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('for all')));
  await world.until(() => cleo.heard.length === 1);
  assert.deepEqual(divergent(cleo), ['Ana']);
});

test('a record that one person is given twice is heard once, and told', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  lieTo(world, ben, (frame) => (frame.type === 'ordered' && frame.counter === 0 && frame.sender === ana.conversation.localParticipant.id ? [frame, frame] : [frame]));
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('a')));
  await world.wait(/** @type {Promise<void>} */ (ben.messenger?.send('b')));
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('c')));
  await world.until(() => divergent(ana).length === 1 && divergent(ben).length === 1);
  assert.deepEqual(ben.heard, [['Ana', 'a'], ['Ana', 'c']]);
});

test('an old attachment that one person is shown again after its removal is told', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  /** @type {any} */
  let old = null;
  lieTo(world, ben, (frame) => {
    if (frame.type === 'entry') old = frame;
    return frame.type === 'removed' && old ? [frame, { ...old, version: old.version + 1 }] : [frame];
  });
  const attachment = /** @type {any} */ (await world.wait(/** @type {any} */ (ana.journal?.add(photo(1_000)))));
  await world.until(() => ben.attachments.length === 1);
  await world.wait(/** @type {Promise<void>} */ (ana.journal?.remove(attachment)));
  await world.until(() => divergent(ben).length === 1 && divergent(ana).length === 1);
  assert.equal(ana.attachments.length, 0);
});

test('a message for everyone that one person is not given, as if it were for others, is told to everybody', async () => {
  const world = new World();
  const [ana, ben, cleo] = await world.together('Ana', 'Ben', 'Cleo');
  lieTo(world, cleo, (frame) => (frame.type === 'ordered' && frame.sender === ana.conversation.localParticipant.id ? [{ type: 'skipped', sender: frame.sender, counter: frame.counter }] : [frame]));
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('a')));
  // Sender and counter are right: no hole is left.
  await world.until(() => divergent(cleo).length > 0 && divergent(ana).length > 0 && divergent(ben).includes('Cleo'));
  assert.deepEqual(cleo.heard, []);
});

test('what is given in place of a message under the counter of the next is told, though the next is taken for a repeat', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  let isHidden = false;
  lieTo(world, ben, (frame) => {
    if (isHidden || frame.type !== 'ordered' || frame.sender !== ana.conversation.localParticipant.id) return [frame];
    isHidden = true;
    return [{ type: 'skipped', sender: frame.sender, counter: frame.counter + 1 }];
  });
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('a')));
  // Her answer to what he says of the log is that next record, and the last that she has to send.
  await world.until(() => divergent(ana).includes('Ben') && divergent(ben).includes('Ana'));
  assert.deepEqual(ben.heard, []);
});

/** @type {[string, (frame: any) => object][]} */
const changes = [
  ['a byte in the middle', ({ sealed }) => ({ sealed: sealed.with(sealed.length >> 1, sealed[sealed.length >> 1] ^ 1) })],
  ['the length of the body', ({ bodyLength }) => ({ bodyLength: bodyLength + 1 })],
  ['whether the body is there', ({ isBodyComplete }) => ({ isBodyComplete: !isBodyComplete })],
];
for (const [what, change] of changes) {
  test(`an attachment that one person is shown with another form of ${what} is told to everybody`, async () => {
    const world = new World();
    const [ana, ben, cleo] = await world.together('Ana', 'Ben', 'Cleo');
    lieTo(world, cleo, (frame) => (frame.type === 'entry' ? [{ ...frame, ...change(frame) }] : [frame]));
    await world.wait(/** @type {any} */ (ana.journal?.add(photo(10_000))));
    await world.until(() => divergent(cleo).length > 0 && divergent(ana).includes('Cleo') && divergent(ben).includes('Cleo'));
  });
}

test('a relay that tells everybody another incarnation is found out', async () => {
  const world = new World();
  let number = 100n;
  world.relay.onWay = (frame) => {
    if (frame.type !== 'welcome') return frame;
    number += 1n;
    return { ...frame, incarnation: number };
  };
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('a')));
  await world.clock.pass(100_000);
  assert.deepEqual(divergent(ben), []);
  await world.clock.pass(800_000);
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('b')));
  await world.until(() => divergent(ben).length === 1);
});

test('nothing that the relay is given holds a name, a message, what is said of a photo, or the photo', async () => {
  const world = new World();
  /** @type {Uint8Array[]} */
  const given = [];
  const [ana, ben] = await world.together('Ana Anagramma', 'Ben Benevento');
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('a message in clear')));
  const attachment = /** @type {any} */ (await world.wait(/** @type {any} */ (ana.journal?.add(new Blob(['a picture in clear'.repeat(10)]), { metadata: { name: 'metadata in clear' } }))));
  await world.wait(attachment.uploaded);
  await world.until(() => ben.attachments.length === 1 && ben.heard.length === 1);
  for (const { frame } of world.relay.received) if ('sealed' in frame) given.push(frame.sealed);
  for (const parts of world.relay.attachments.bodies.values()) given.push(...parts.values());
  assert.ok(given.length >= 6);
  const everything = Buffer.concat(given).toString('latin1');
  for (const clear of ['Anagramma', 'Benevento', 'Plan', 'message in clear', 'picture in clear', 'metadata in clear', ana.conversation.invitation.link.split('#1.')[1]]) {
    assert.ok(!everything.includes(clear), clear);
  }
});

// What an honest relay does.

/** Everybody says something and adds something, and time enough passes for everything to be compared. @param {World} world @param {...Person} people */
async function goOn(world, ...people) {
  for (const person of people) {
    await world.wait(/** @type {Promise<void>} */ (person.messenger?.send('on')));
    await world.wait(/** @type {any} */ (person.journal?.add(photo(100))));
  }
  await world.clock.pass(40_000);
  for (const person of people) assert.deepEqual(divergent(person), [], person.conversation.localParticipant.name);
}

/** How many records somebody has sent that say only how far they have come. @param {World} world @param {Person} person @param {number} appCount */
function positionCount(world, person, appCount) {
  const { id } = person.conversation.localParticipant;
  return new Set(world.relay.received.filter(({ participant, frame }) => participant === id && frame.type === 'record').map(({ frame }) => /** @type {any} */ (frame).counter)).size - appCount;
}

test('somebody who comes later begins in the middle, and nobody is alarmed', async () => {
  const world = new World();
  const people = await world.together('Ana', 'Ben');
  await goOn(world, ...people);
  const cleo = await world.join(people[0], 'Cleo');
  await world.until(() => cleo.offered.length === 1);
  cleo.join();
  await world.until(() => cleo.session.activeParticipants.length === 3);
  await goOn(world, ...people, cleo);
  await goOn(world, ...people, cleo);
});

test('a lost connection that is resumed alarms nobody', async () => {
  const world = new World();
  const people = await world.together('Ana', 'Ben', 'Cleo');
  await goOn(world, ...people);
  for (let round = 0; round < 3; round += 1) {
    const sending = people.map(({ messenger }) => messenger?.send('in flight'));
    world.relay.cut();
    await world.wait(Promise.all(sending));
    await goOn(world, ...people);
  }
});

test('a relay that has restarted alarms nobody', async () => {
  const world = new World();
  const people = await world.together('Ana', 'Ben', 'Cleo');
  await goOn(world, ...people);
  const sending = people.map(({ messenger }) => messenger?.send('in flight'));
  world.relay.kill();
  await world.clock.pass(2_000);
  world.relay.start();
  await world.wait(Promise.all(sending));
  await goOn(world, ...people);
  await world.clock.pass(900_000);
  await goOn(world, ...people);
});

test('messages for some alarm nobody', async () => {
  const world = new World();
  const people = await world.together('Ana', 'Ben', 'Cleo');
  const [ana, ben, cleo] = people;
  for (let round = 0; round < 3; round += 1) {
    await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('for Ben', { to: ana.session.activeParticipants[1] })));
    await world.wait(/** @type {Promise<void>} */ (ben.messenger?.send('for Cleo', { to: ben.session.activeParticipants[2] })));
    await world.wait(/** @type {Promise<void>} */ (cleo.messenger?.send('for all')));
  }
  await goOn(world, ...people);
});

test('somebody who was away too long comes back as somebody else, and nobody is alarmed', async () => {
  const world = new World();
  const people = await world.together('Ana', 'Ben', 'Cleo');
  const cleo = people.pop();
  const id = cleo?.conversation.localParticipant.id;
  world.relay.onHello = (participant) => participant !== id;
  for (const socket of [...world.relay.sockets]) if (socket.participant === id) socket.fail(1006);
  await goOn(world, ...people);
  await world.clock.pass(200_000);
  world.relay.onHello = () => true;
  const again = await world.join(people[0], 'Cleo');
  await world.until(() => again.offered.length === 1);
  again.join();
  await world.until(() => again.session.activeParticipants.length === 3);
  await goOn(world, ...people, again);
});

test('who only watches says how far they have come once, and then is silent', async () => {
  const world = new World();
  const [ana, ben, cleo] = await world.together('Ana', 'Ben', 'Cleo');
  await world.clock.pass(60_000);
  const before = [ben, cleo].map((person) => positionCount(world, person, 0));
  await world.wait(/** @type {Promise<void>} */ (ana.messenger?.send('a')));
  await world.clock.pass(600_000);
  // One of the two speaks, and the other has nothing to add.
  const after = [ben, cleo].map((person) => positionCount(world, person, 0));
  assert.equal(after[0] + after[1] - before[0] - before[1], 1);
  assert.deepEqual([ben.heard, cleo.heard], [[['Ana', 'a']], [['Ana', 'a']]]);
});

test('who is alone has nobody to tell', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  await world.wait(/** @type {any} */ (ana.journal?.add(photo(100))));
  await world.clock.pass(120_000);
  assert.equal(positionCount(world, ana, 0), 0);
});
