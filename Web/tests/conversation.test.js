// Whole conversations over a relay in memory: people, messages, coming and going.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Conversation, GroupSessionMessenger, Invitation } from '../groupactivities/index.js';
import { World } from './support/world.js';

const names = (/** @type {readonly { name: string }[]} */ participants) => participants.map(({ name }) => name);

test('a participant who joins by the link sees everyone and the same session code', async () => {
  const world = new World();
  const ana = await world.create('Ana');
  const ben = await world.join(ana, 'Ben');
  await world.until(() => ana.conversation.participants.length === 2);
  assert.deepEqual(names(ana.conversation.participants), ['Ana', 'Ben']);
  assert.deepEqual(names(ben.conversation.participants), ['Ana', 'Ben']);
  assert.equal(ana.conversation.code, ben.conversation.code);
  assert.equal(ben.conversation.localParticipant.name, 'Ben');
  assert.equal(ana.conversation.state, 'connected');
});

test('an activity is offered to everyone, its starter included, and only the starter initiated it', async () => {
  const world = new World();
  const [ana, ben, eva] = await world.together('Ana', 'Ben', 'Eva');
  assert.deepEqual([ana, ben, eva].map(({ session }) => session.isLocallyInitiated), [true, false, false]);
  assert.deepEqual(ben.session.activity, { title: 'Plan' });
  assert.deepEqual(names(eva.session.activeParticipants), ['Ana', 'Ben', 'Eva']);
});

test('messages of several senders arrive at everyone else once and in one order', async () => {
  const world = new World();
  const people = await world.together('Ana', 'Ben', 'Eva');
  const [ana, ben, eva] = people;
  const sent = [];
  for (let round = 0; round < 5; round += 1) for (const person of [ana, ben]) sent.push(person.messenger?.send(round));
  await world.wait(Promise.all(sent));
  await world.until(() => eva.heard.length === 10);
  assert.deepEqual(ana.heard, [0, 1, 2, 3, 4].map((round) => ['Ben', round]));
  assert.deepEqual(ben.heard, [0, 1, 2, 3, 4].map((round) => ['Ana', round]));
});

test('a message to one participant reaches nobody else, and what follows still arrives', async () => {
  const world = new World();
  const [ana, ben, eva] = await world.together('Ana', 'Ben', 'Eva');
  const toBen = ana.session.activeParticipants.filter(({ name }) => name === 'Ben');
  await world.wait(/** @type {any} */ (ana.messenger?.send('secret', { to: toBen })));
  await world.wait(/** @type {any} */ (ana.messenger?.send('nobody', { to: [] })));
  await world.wait(/** @type {any} */ (ana.messenger?.send('all')));
  await world.until(() => eva.heard.length === 1 && ben.heard.length === 2);
  assert.deepEqual(eva.heard, [['Ana', 'all']]);
  assert.deepEqual(ben.heard, [['Ana', 'secret'], ['Ana', 'all']]);
});

test('bytes, other identifiers and unreliable messages come to those who asked for them', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const quick = [ana, ben].map(({ session }) => new GroupSessionMessenger(session, { deliveryMode: 'unreliable' }));
  const second = new GroupSessionMessenger(ben.session);
  const bytes = second.messages(Uint8Array);
  await world.wait(/** @type {any} */ (ana.messenger?.send(new Uint8Array([1, 2, 3]))));
  await world.wait(/** @type {any} */ (ana.messenger?.send({ x: 1 }, { messageIdentifier: 'stroke' })));
  await world.wait(quick[0].send('fast'));
  assert.deepEqual([...(await world.wait(bytes.next())).value.message], [1, 2, 3]);
  assert.deepEqual((await world.wait(second.messages('stroke').next())).value.message, { x: 1 });
  assert.equal((await world.wait(quick[1].messages().next())).value.message, 'fast');
  assert.deepEqual(ben.heard, []);
});

test('a message above the limit is refused with limit and value before anything is sent', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const error = await world.failure(/** @type {any} */ (ana.messenger?.send(new Uint8Array(262_145))));
  assert.deepEqual([error.code, error.limit, error.value], ['message-too-large', 262_144, 262_145]);
  await world.wait(/** @type {any} */ (ana.messenger?.send('x'.repeat(262_142))));
  await world.until(() => ben.heard.length === 1);
});

test('a message sent before the session is joined goes out by itself', async () => {
  const world = new World();
  const ana = await world.create('Ana');
  await world.wait(ana.conversation.activate({ activityIdentifier: 'org.example.Drawing' }));
  await world.until(() => ana.offered.length === 1);
  const sent = new GroupSessionMessenger(ana.session).send('early');
  ana.join();
  await world.wait(sent);
});

test('what was sent while the connection was away arrives once after it is back', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ (ana.messenger?.send(1)));
  world.relay.cut();
  await world.until(() => ana.conversation.state === 'reconnecting');
  const sent = ana.messenger?.send(2);
  await world.wait(/** @type {any} */ (sent));
  await world.until(() => ben.heard.length === 2);
  assert.deepEqual(ben.heard, [['Ana', 1], ['Ana', 2]]);
  assert.equal(ana.conversation.state, 'connected');
  assert.equal(ana.offered.length, 1);
});

test('a relay that dies loses no message: senders send the same bytes again and receivers drop what they have', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  for (let count = 0; count < 3; count += 1) await world.wait(/** @type {any} */ (ana.messenger?.send(count)));
  world.relay.kill();
  const sent = ana.messenger?.send(3);
  await world.clock.pass(20_000);
  world.relay.start();
  await world.wait(/** @type {any} */ (sent));
  await world.until(() => ben.heard.length === 4);
  assert.deepEqual(ben.heard.map(([, message]) => message), [0, 1, 2, 3]);
  assert.deepEqual(names(ben.conversation.participants), ['Ana', 'Ben']);
  assert.equal(ben.session.state, 'joined');
  await world.wait(/** @type {any} */ (ben.messenger?.send('still here')));
  await world.until(() => ana.heard.length === 1);
});

test('after leaving a session it is offered again, and the same participant can come back into it', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ (ben.messenger?.send('before')));
  const left = ben.session;
  left.leave();
  assert.equal(left.state, 'invalidated');
  assert.equal(left.invalidationReason?.code, 'left');
  await world.until(() => ben.offered.length === 2 && ana.session.activeParticipants.length === 1);
  await world.wait(/** @type {any} */ (ana.messenger?.send('while away')));
  ben.join();
  await world.until(() => ben.session.state === 'joined');
  await world.wait(/** @type {any} */ (ben.messenger?.send('after')));
  await world.wait(/** @type {any} */ (ana.messenger?.send('welcome back')));
  await world.until(() => ana.heard.length === 2 && ben.heard.length === 1);
  assert.deepEqual(ana.heard, [['Ben', 'before'], ['Ben', 'after']]);
  assert.deepEqual(ben.heard, [['Ana', 'welcome back']]);
});

test('whoever joined the conversation after a sender had left and come back to a session still hears it', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ (ana.messenger?.send(0)));
  ana.session.leave();
  await world.until(() => ana.offered.length === 2);
  const eva = await world.join(ana, 'Eva');
  await world.until(() => eva.offered.length === 1);
  eva.join();
  await world.until(() => eva.session.activeParticipants.length === 2);
  ana.join();
  await world.wait(/** @type {any} */ (ana.messenger?.send(1)));
  await world.until(() => eva.heard.length === 1 && ben.heard.length === 2);
  assert.equal(eva.session.state, 'joined');
});

test('ending a session invalidates it for all, joined or not, with the reason ended', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const eva = await world.join(ana, 'Eva');
  await world.until(() => eva.offered.length === 1);
  ben.session.end();
  await world.until(() => [ana, ben, eva].every(({ session }) => session.state === 'invalidated'));
  assert.deepEqual([ana, ben, eva].map(({ session }) => session.invalidationReason?.code), ['ended', 'ended', 'ended']);
  assert.equal((await world.failure(/** @type {any} */ (ana.messenger?.send(1)))).code, 'session-invalidated');
  assert.equal(ana.offered.length, 1);
});

test('leaving the conversation tells the others and closes it for good', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(ben.conversation.leave());
  assert.deepEqual([ben.conversation.state, ben.conversation.closeReason?.code], ['closed', 'left']);
  assert.equal(ben.session.invalidationReason?.code, 'conversation-closed');
  await world.until(() => ana.conversation.participants.length === 1 && ana.session.activeParticipants.length === 1);
  const again = await world.join(ana, 'Ben');
  await world.until(() => again.offered.length === 1);
  assert.equal((await world.failure(ben.conversation.activate({ activityIdentifier: 'x' }))).code, 'conversation-closed');
});

test('replacing the activity reaches everyone in place, and who joins later', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  ben.session.activity = { title: 'Other' };
  await world.until(() => /** @type {any} */ (ana.session.activity).title === 'Other');
  const eva = await world.join(ana, 'Eva');
  await world.until(() => eva.offered.length === 1);
  assert.deepEqual(eva.session.activity, { title: 'Other' });
  assert.equal(ana.session.isLocallyInitiated, true);
  assert.equal(ben.session.isLocallyInitiated, false);
  assert.equal(ana.offered.length, 1);
});

test('an activity that is too large is told by an event, and the old one stays', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  /** @type {any} */
  let event = null;
  ana.session.addEventListener('activityerror', (each) => { event = each; });
  ana.session.activity = 'x'.repeat(200_000);
  await world.until(() => event);
  assert.equal(event.error.code, 'entry-too-large');
  assert.deepEqual(ana.session.activity, { title: 'Plan' });
});

test('an unknown conversation, a wrong secret and an unreachable relay each have their word', async () => {
  const world = new World();
  const ana = await world.create('Ana');
  const other = Invitation.create('https://relay.example');
  const { environment } = world;
  assert.equal((await world.failure(Conversation.join(other, { name: 'Ben', environment }))).code, 'unknown-conversation');
  const { origin, conversationId } = ana.conversation.invitation;
  const forged = new Invitation({ origin, conversationId, secret: other.secret });
  assert.equal((await world.failure(Conversation.join(forged, { name: 'Ben', environment }))).code, 'not-invited');
  world.relay.kill();
  assert.equal((await world.failure(Conversation.join(ana.conversation.invitation, { name: 'Ben', environment }))).code, 'relay-unreachable');
  assert.equal((await world.failure(Conversation.join(other, { name: 'x'.repeat(65), environment }))).code, 'name-too-long');
});

test('joining can be aborted while the relay does not answer', async () => {
  const world = new World();
  const ana = await world.create('Ana');
  world.relay.kill();
  const controller = new AbortController();
  const joining = Conversation.join(ana.conversation.invitation, { name: 'Ben', environment: world.environment, signal: controller.signal });
  controller.abort();
  assert.equal((await world.failure(joining)).code, 'aborted');
});

test('away beyond the resume window closes with cannot-resume, and the same invitation lets a new participant in', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const { latencyMilliseconds } = world.relay;
  world.relay.cut();
  world.relay.isDown = true;
  await world.clock.pass(200_000);
  world.relay.isDown = false;
  await world.until(() => ben.conversation.state === 'closed' && ana.conversation.state === 'closed');
  assert.equal(ben.conversation.closeReason?.code, 'cannot-resume');
  assert.equal(latencyMilliseconds, 5);
  await world.join(ana, 'Ben');
});

test('a connection on which nothing is heard is given up after 25 s and made anew', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  let isMute = true;
  const deaf = ana.conversation.localParticipant.id;
  world.relay.onWay = (frame, participant) => (isMute && participant === deaf && frame.type !== 'welcome' ? null : frame);
  await world.until(() => ana.conversation.state === 'reconnecting');
  isMute = false;
  await world.until(() => ana.conversation.state === 'connected');
  await world.wait(/** @type {any} */ (ben.messenger?.send('hello')));
  await world.until(() => ana.heard.length === 1);
});

test('retryNow finds out within 5 s that an open connection is dead', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  await world.clock.pass(100);
  let isMute = true;
  world.relay.onWay = (frame) => (isMute ? null : frame);
  const before = world.clock.now();
  ana.conversation.retryNow();
  await world.until(() => ana.conversation.state === 'reconnecting');
  assert.ok(world.clock.now() - before <= 5_000);
  isMute = false;
  ana.conversation.retryNow();
  await world.until(() => ana.conversation.state === 'connected');
});

test('there is never more than one connection of a participant, however often retryNow is called', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  for (let round = 0; round < 5; round += 1) {
    world.relay.cut();
    for (let call = 0; call < 5; call += 1) {
      ana.conversation.retryNow();
      await world.clock.pass(1);
    }
    await world.until(() => ana.conversation.state === 'connected');
  }
  await world.clock.pass(30_000);
  assert.equal(world.relay.sockets.filter(({ readyState }) => readyState === 1).length, 1);
  assert.equal(ana.conversation.state, 'connected');
});

for (const [what, change, reason] of /** @type {[string, (frame: any) => any, string][]} */ ([
  ['a record with one bit changed', (frame) => ({ ...frame, sealed: frame.sealed.map((/** @type {number} */ byte, /** @type {number} */ index) => (index === 40 ? byte ^ 1 : byte)) }), 'tampered'],
  ['a record that is left out', () => null, 'gap'],
  ['a record whose place alone was filled with another frame', (frame) => ({ type: 'skipped', session: frame.session, sequence: frame.sequence, sender: frame.sender, counter: 9 }), 'gap'],
])) {
  test(`${what} invalidates the session with the reason ${reason}`, async () => {
    const world = new World();
    const [ana, ben] = await world.together('Ana', 'Ben');
    await world.wait(/** @type {any} */ (ana.messenger?.send(0)));
    await world.until(() => ben.heard.length === 1);
    let isOnce = true;
    world.relay.onWay = (frame, participant) => {
      if (frame.type !== 'ordered' || participant !== ben.conversation.localParticipant.id || !isOnce) return frame;
      isOnce = false;
      return change(frame);
    };
    await world.wait(/** @type {any} */ (ana.messenger?.send(1)));
    await world.wait(/** @type {any} */ (ana.messenger?.send(2)));
    await world.until(() => ben.offered[0].state === 'invalidated');
    assert.equal(ben.offered[0].invalidationReason?.code, reason);
    assert.deepEqual(ben.heard, [['Ana', 0]]);
    assert.equal(ana.session.state, 'joined');
  });
}

test('what is sent after a restart, before the last participant has come back, reaches that one too', async () => {
  const world = new World();
  const [ana, ben, eva] = await world.together('Ana', 'Ben', 'Eva');
  await world.wait(/** @type {any} */ (ana.messenger?.send(0)));
  world.relay.kill();
  await world.until(() => [ana, ben, eva].every(({ conversation }) => conversation.state === 'reconnecting'));
  world.relay.start();
  const late = ben.conversation.localParticipant.id;
  world.relay.onHello = (participant) => participant !== late;
  await world.until(() => ana.conversation.state === 'connected' && eva.conversation.state === 'connected');
  await world.wait(/** @type {any} */ (ana.messenger?.send(1)));
  await world.until(() => eva.heard.length === 2);
  world.relay.onHello = () => true;
  await world.until(() => ben.conversation.state === 'connected');
  await world.wait(/** @type {any} */ (ana.messenger?.send(2)));
  await world.until(() => ben.heard.length === 3 && eva.heard.length === 3);
  assert.deepEqual(ben.heard, [['Ana', 0], ['Ana', 1], ['Ana', 2]]);
  assert.equal(ben.session.state, 'joined');
});

test('a frozen tab whose timers stood still finds its connection again and misses nothing', async () => {
  const world = new World();
  const frozen = { isFrozen: false, missed: /** @type {(() => void)[]} */ ([]) };
  const { environment } = world;
  world.environment = { ...environment, setTimeout: (/** @type {() => void} */ callback, /** @type {number} */ milliseconds) => environment.setTimeout(() => (frozen.isFrozen ? frozen.missed.push(callback) : callback()), milliseconds) };
  const [ana] = await world.together('Ana');
  world.environment = environment;
  const ben = await world.join(ana, 'Ben');
  await world.until(() => ben.offered.length === 1);
  ben.join();
  await world.until(() => ana.session.activeParticipants.length === 2);
  frozen.isFrozen = true;
  world.relay.cut();
  await world.until(() => ben.conversation.state === 'connected');
  await world.wait(/** @type {any} */ (ben.messenger?.send('while frozen')));
  await world.clock.pass(60_000);
  frozen.isFrozen = false;
  for (const callback of frozen.missed.splice(0)) callback();
  await world.until(() => ana.heard.length === 1);
  assert.equal(ana.session.state, 'joined');
});
