// The door, as members set it and as newcomers find it, over a relay in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { doorBody, readDoor } from '../groupactivities/door.js';
import { Conversation } from '../groupactivities/index.js';
import { isCode } from './support/claims.js';
import { World } from './support/world.js';

/** @param {World} world @param {import('./support/person.js').Person} host @param {string} name @param {object} [more] */
function coming(world, host, name, more = {}) {
  return Conversation.join(host.conversation.invitation, { name, environment: world.environment, ...more });
}

/** @param {import('./support/person.js').Person} person */
const knocking = ({ conversation }) => conversation.knocks.map(({ name }) => name);

/** @param {World} world @param {import('../groupactivities/door.js').DoorMode} mode @param {Date | null} [closesAt] */
async function guarded(world, mode, closesAt = null) {
  const ana = await world.create('Ana');
  const ben = await world.join(ana, 'Ben');
  await world.until(() => ana.conversation.participants.length === 2 && ben.conversation.participants.length === 2);
  await world.wait(ana.conversation.setDoor({ mode, closesAt }));
  await world.until(() => ben.conversation.door.mode === mode);
  return [ana, ben];
}

test('a conversation that nobody has locked is open to everyone with the link, for good', async () => {
  const world = new World();
  const { conversation } = await world.create('Ana');
  assert.deepEqual(conversation.door, { mode: 'open', closesAt: null, isConfirmed: true, setBy: null });
  assert.equal(conversation.pass, null);
});

test('everyone sees how the door stands and who has set it, also who comes later with the pass', async () => {
  const world = new World();
  const closesAt = new Date(3_600_000);
  const [ana, ben] = await guarded(world, 'locked', closesAt);
  assert.deepEqual(ben.conversation.door, { mode: 'locked', closesAt, isConfirmed: true, setBy: ben.conversation.participants[0] });
  assert.equal(ben.conversation.pass, ana.conversation.pass);
  const eva = await world.wait(coming(world, ana, 'Eva', { pass: ben.conversation.pass }));
  assert.deepEqual([eva.door.mode, eva.door.setBy?.name, eva.pass], ['locked', 'Ana', ben.conversation.pass]);
});

test('a locked conversation lets nobody else in, and says so; a wrong pass is as good as none', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'locked');
  for (const pass of [undefined, '', 'x', 'A'.repeat(43)]) isCode('locked')(await world.failure(coming(world, ana, 'Eva', { pass })));
  assert.equal(ben.conversation.participants.length, 2);
  await world.wait(ben.conversation.setDoor({ mode: 'open' }));
  await world.wait(coming(world, ana, 'Eva'));
});

test('who is in stays in over a restart of the locked relay, and who never was stays out', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'locked');
  world.relay.kill();
  await world.until(() => ana.conversation.state === 'reconnecting' && ben.conversation.state === 'reconnecting');
  world.relay.start();
  await world.until(() => ana.conversation.state === 'connected' && ben.conversation.state === 'connected');
  assert.equal(ben.conversation.door.mode, 'locked');
  isCode('locked')(await world.failure(coming(world, ana, 'Eva')));
});

test('who was away for too long comes back as somebody new with the pass, and not without', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'locked');
  const { pass } = ben.conversation;
  ben.conversation.leaveNow();
  await world.until(() => ana.conversation.participants.length === 1);
  isCode('locked')(await world.failure(coming(world, ana, 'Ben')));
  await world.wait(coming(world, ana, 'Ben', { pass }));
});

test('the pass stays while the door is shut in one way or another, and is a new one once it stood open', async () => {
  const world = new World();
  const [{ conversation }] = await guarded(world, 'locked');
  const first = conversation.pass;
  await world.wait(conversation.setDoor({ mode: 'knock' }));
  await world.wait(conversation.setDoor({ mode: 'open', closesAt: new Date(world.clock.now() + 60_000) }));
  assert.equal(conversation.pass, first);
  await world.wait(conversation.setDoor({ mode: 'open' }));
  await world.wait(conversation.setDoor({ mode: 'locked' }));
  assert.notEqual(conversation.pass, first);
});

test('an invitation lets in before its end and nobody after it', async () => {
  const world = new World();
  const [ana] = await guarded(world, 'open', new Date(60_000));
  await world.wait(coming(world, ana, 'Eva'));
  await world.until(() => world.clock.now() >= 60_000);
  isCode('invitation-ended')(await world.failure(coming(world, ana, 'Finn')));
  assert.equal(ana.conversation.participants.length, 3);
});

test('an end that is past, too far ahead or no date is refused, and the door stays as it was', async () => {
  const world = new World();
  const [ana] = await guarded(world, 'locked');
  await world.until(() => world.clock.now() >= 5_000);
  for (const closesAt of [new Date(1_000), new Date(0), new Date(-5), new Date(31_622_400_000 + 60_000_000), new Date(Number.NaN)]) {
    isCode('date-out-of-range')(await world.failure(ana.conversation.setDoor({ mode: 'open', closesAt })));
  }
  assert.equal(ana.conversation.door.mode, 'locked');
});

test('a door set while the connection is away stands once it is back', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'open');
  world.relay.cut();
  await world.until(() => ana.conversation.state === 'reconnecting');
  await world.wait(ana.conversation.setDoor({ mode: 'locked' }));
  await world.until(() => ben.conversation.door.mode === 'locked');
});

test('a door that is not sealed by a member as the relay says it stands is confirmed by nobody, and its pass is not taken', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'locked');
  const { pass } = ben.conversation;
  world.relay.onWay = (frame) => (frame.type === 'door' ? { ...frame, mode: 'open' } : frame);
  await world.wait(ana.conversation.setDoor({ mode: 'knock' }));
  await world.until(() => ben.conversation.door.mode === 'open');
  assert.deepEqual(ben.conversation.door, { mode: 'open', closesAt: null, isConfirmed: false, setBy: null });
  assert.equal(ben.conversation.pass, pass);
  world.relay.onWay = (frame) => (frame.type === 'door' ? { ...frame, sealed: frame.sealed.map((byte) => byte ^ 1) } : frame);
  world.relay.cut();
  await world.until(() => ben.conversation.door.mode === 'knock');
  assert.equal(ben.conversation.door.isConfirmed, false);
});

test('who has to knock waits, is named to every member, and comes in on the word of one', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'knock');
  let waited = 0;
  const joining = coming(world, ana, 'Eva', { onWaiting: () => { waited += 1; } });
  await world.until(() => knocking(ana).length === 1 && knocking(ben).length === 1);
  assert.deepEqual([knocking(ana), waited], [['Eva'], 1]);
  ben.conversation.admit(ben.conversation.knocks[0].id);
  const eva = await world.wait(joining);
  assert.equal(eva.state, 'connected');
  await world.until(() => ana.conversation.participants.length === 3);
  assert.deepEqual([knocking(ana), knocking(ben)], [[], []]);
  assert.notEqual(eva.pass, null);
});

test('who is declined is told so', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'knock');
  const joining = world.failure(coming(world, ana, 'Eva'));
  const declining = world.until(() => knocking(ana).length === 1).then(() => ana.conversation.decline(ana.conversation.knocks[0].id));
  await declining;
  isCode('declined')(await joining);
  await world.until(() => knocking(ben).length === 0);
});

test('who gives up waiting knocks no more, and who is never answered is told so', async () => {
  const world = new World();
  const [ana] = await guarded(world, 'knock');
  const cancelling = new AbortController();
  const joining = world.failure(coming(world, ana, 'Eva', { signal: cancelling.signal }));
  await world.until(() => knocking(ana).length === 1);
  cancelling.abort();
  isCode('aborted')(await joining);
  await world.until(() => knocking(ana).length === 0);
  isCode('not-answered')(await world.failure(coming(world, ana, 'Finn')));
});

test('a line that breaks while waiting is taken up again, and the members see one knock', async () => {
  const world = new World();
  const [ana] = await guarded(world, 'knock');
  const joining = coming(world, ana, 'Eva');
  await world.until(() => knocking(ana).length === 1);
  world.relay.cut();
  await world.until(() => ana.conversation.state === 'reconnecting');
  await world.until(() => ana.conversation.state === 'connected' && knocking(ana).length === 1);
  ana.conversation.admit(ana.conversation.knocks[0].id);
  await world.wait(joining);
});

test('a knock under another name than its key gives is not shown', async () => {
  const world = new World();
  const [ana, ben] = await guarded(world, 'knock');
  world.relay.onWay = (frame) => (frame.type === 'knocking' ? { ...frame, participant: ben.conversation.localParticipant.id } : frame);
  const joining = world.failure(coming(world, ana, 'Eva'));
  await joining;
  assert.deepEqual([knocking(ana), knocking(ben)], [[], []]);
});

test('what a door holds is read as it was written, and what is cut short is refused', () => {
  const pass = new Uint8Array(32).fill(7);
  const body = doorBody({ mode: 'knock', closesAt: 1_800_000_000, pass });
  assert.deepEqual(readDoor(body), { mode: 'knock', closesAt: 1_800_000_000, pass });
  for (let length = 0; length < body.length; length += 1) assert.throws(() => readDoor(body.subarray(0, length)), isCode('malformed'));
  assert.throws(() => doorBody({ mode: 'unknown', closesAt: 0, pass }), RangeError);
  assert.throws(() => doorBody({ mode: 'open', closesAt: 0, pass: pass.subarray(1) }), RangeError);
});
