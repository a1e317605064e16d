// What people miss who come late, stand still, or are cut off at the wrong moment: nothing, and nothing comes twice or out of date.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OWN_SESSION } from '../groupactivities/identifiers.js';
import { photo } from './support/person.js';
import { World } from './support/world.js';

/** @typedef {import('./support/person.js').Person} Person */

/** @param {World} world @param {Person} person @param {unknown} message */
const say = (world, person, message) => world.wait(/** @type {any} */ (person.messenger?.send(message)));

/** @param {World} world @param {Person} person @param {number} count of photos */
async function share(world, person, count) {
  for (let number = 1; number <= count; number += 1) {
    const attachment = await world.wait(/** @type {Promise<import('../groupactivities/attachment.js').Attachment>} */ (person.journal?.add(photo(number))));
    await world.wait(/** @type {Promise<void>} */ (attachment.uploaded));
  }
}

for (const isCut of [false, true]) {
  test(`a page that stood still for 45 s, ${isCut ? 'given up by the relay meanwhile' : 'its connection kept'}, shows no older value after a newer one and ends on the last`, async () => {
    const world = new World();
    const standing = { isStill: false, missed: /** @type {(() => void)[]} */ ([]) };
    const { environment } = world;
    const held = (/** @type {() => void} */ callback) => () => (standing.isStill ? standing.missed.push(callback) : callback());
    world.environment = { ...environment, setTimeout: (/** @type {() => void} */ callback, /** @type {number} */ milliseconds) => environment.setTimeout(held(callback), milliseconds) };
    const ben = await world.create('Ben');
    world.environment = environment;
    const ana = await world.join(ben, 'Ana');
    await world.wait(ana.conversation.activate({ activityIdentifier: 'org.example.Drawing' }));
    await world.until(() => [ana, ben].every(({ offered }) => offered.length === 1));
    for (const person of [ana, ben]) person.join();
    await world.until(() => ben.session.activeParticipants.length === 2);
    /** @type {string[]} */
    const states = [];
    ben.session.addEventListener('statechange', () => states.push(ben.session.state));

    // What comes for a page that stands still waits in its browser.
    const socket = world.relay.sockets.find(({ participant }) => participant === ben.conversation.localParticipant.id);
    const { onmessage, onclose } = /** @type {any} */ (socket);
    Object.assign(/** @type {any} */ (socket), {
      onmessage: (/** @type {any} */ event) => held(() => onmessage(event))(),
      onclose: (/** @type {any} */ event) => held(() => onclose(event))(),
    });
    standing.isStill = true;
    for (let value = 0; value < 20; value += 1) {
      await say(world, ana, value);
      await world.clock.pass(2_250);
      if (isCut && value === 13) socket?.fail(4202);
    }
    assert.equal(ben.heard.length, 0);
    standing.isStill = false;
    for (const callback of standing.missed.splice(0)) callback();
    await world.until(() => ben.heard.length >= 20 || ben.session.state === 'invalidated');
    await world.until(() => ben.conversation.state === 'connected');
    assert.deepEqual(ben.heard.map(([, value]) => value), Array.from({ length: 20 }, (_, value) => value));
    assert.deepEqual(states, []);
    assert.equal(ana.session.activeParticipants.length, 2);
    await say(world, ben, 'back');
    await world.until(() => ana.heard.length === 1);
  });
}

test('of ten messages sent while the connection is exchanged each call ends and each arrives once', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const calls = [];
  for (let number = 0; number < 10; number += 1) {
    calls.push(ana.messenger?.send(number));
    if (number % 3 === 1) world.relay.cut();
    await world.clock.pass(1);
  }
  await world.wait(Promise.all(calls));
  await world.until(() => ben.heard.length >= 10);
  await world.clock.pass(60_000);
  assert.deepEqual(ben.heard.map(([, number]) => number), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('whoever waits for a place when the conversation is over is told so', async () => {
  const world = new World();
  const [ana] = await world.together('Ana', 'Ben');
  world.relay.cut();
  world.relay.isDown = true;
  const failures = Array.from({ length: 10 }, (_, number) => world.failure(/** @type {any} */ (ana.messenger?.send(number))));
  await world.clock.pass(200_000);
  world.relay.isDown = false;
  assert.deepEqual(new Set((await Promise.all(failures)).map((error) => error?.code)), new Set(['session-invalidated']));
  assert.equal(ana.session.invalidationReason?.code, 'conversation-closed');
});

for (const lost of ['welcome', 'position', 'complete']) {
  test(`nothing is called whole while the relay's ${lost} has not come, and all is there once it has`, async () => {
    const world = new World();
    const [ana] = await world.together('Ana');
    await share(world, ana, 3);
    let hellos = 0;
    let lostCount = 0;
    world.relay.onHello = () => (hellos += 1) > 0;
    world.relay.onWay = (frame, participant) => {
      const isTheirs = participant === ana.conversation.localParticipant.id;
      // The welcome comes in one message with all that follows from it; only signs of life come after.
      const isLost = lost === 'welcome' ? hellos === 1 && frame.type !== 'ping' : lostCount === 0 && frame.type === lost && /** @type {any} */ (frame).session !== OWN_SESSION;
      if (isTheirs || !isLost) return frame;
      lostCount += 1;
      return null;
    };
    const ben = await world.join(ana, 'Ben');
    await world.until(() => ben.offered.length === 1);
    ben.join();
    if (lost !== 'welcome') {
      await world.clock.pass(20_000);
      assert.equal(ben.journal?.isComplete, false);
      world.relay.cut();
    }
    await world.until(() => ben.journal?.isComplete);
    assert.ok(lostCount > 0);
    assert.equal(ben.attachments.length, 3);
    assert.equal(ana.session.activeParticipants.length, 2);
  });
}

for (const hasCome of [true, false]) {
  test(`whoever is cut off ${hasCome ? 'before confirming what came' : 'from what the relay had written already'} is given what is missing and no more, and shows nothing twice`, async () => {
    const world = new World();
    const [ana, ben] = await world.together('Ana', 'Ben');
    const me = ben.conversation.localParticipant.id;
    await world.clock.pass(10_000);
    const before = world.relay.received.length;
    let written = 0;
    world.relay.onWay = (frame, participant) => {
      if (participant !== me || frame.type !== 'ordered' || frame.sender !== ana.conversation.localParticipant.id) return frame;
      written += 1;
      return hasCome || written > 1 ? frame : null;
    };
    await say(world, ana, 'once');
    await world.until(() => written === 1 && (ben.heard.length === 1 || !hasCome));
    assert.ok(!world.relay.received.slice(before).some(({ participant, frame }) => participant === me && frame.type === 'acknowledge'));
    world.relay.cut();
    await world.until(() => ben.conversation.state === 'connected' && ana.conversation.state === 'connected');
    await world.until(() => ben.heard.length > 0);
    await world.clock.pass(5_000);
    assert.deepEqual([ben.heard, written], [[['Ana', 'once']], hasCome ? 1 : 2]);
    await world.clock.pass(115_000);
    const said = world.relay.received.slice(before).filter(({ participant, frame }) => (frame.type === 'hello' ? frame.participant : participant) === me).map(({ frame }) => frame.type);
    // Besides, a record by which everybody says which log they have seen.
    assert.deepEqual(said.filter((type) => type !== 'acknowledge' && type !== 'record'), ['hello'], said.join());
    assert.ok(said.length <= 5, said.join());
  });
}

test('a message that is too large costs nobody a photo, and whoever sent it makes nothing up when it comes back', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await share(world, ana, 30);
  await world.until(() => ben.attachments.length === 30);
  const before = world.relay.received.length;
  const error = await world.failure(/** @type {any} */ (ben.messenger?.send(new Uint8Array(300_000))));
  assert.deepEqual([error.code, error.limit, error.value], ['message-too-large', 262_144, 300_000]);
  assert.equal(ben.conversation.state, 'connected');
  world.relay.cut();
  await world.until(() => ben.conversation.state === 'connected' && ben.journal?.isComplete);
  await world.clock.pass(10_000);
  const said = world.relay.received.slice(before).filter(({ participant }) => participant === ben.conversation.localParticipant.id);
  assert.ok(!said.some(({ frame }) => frame.type === 'put' || frame.type === 'remove'), said.map(({ frame }) => frame.type).join());
  for (const person of [ana, ben]) assert.equal(person.attachments.length, 30);
  await say(world, ben, 'small');
  await world.until(() => ana.heard.length === 1);
});
