// A participant that has much to say waits: it neither looks like a flood to the relay nor outruns the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { limits } from '../groupactivities/limits.js';
import { Pace } from '../groupactivities/pace.js';
import { RecordWindow } from '../groupactivities/record-window.js';
import { World } from './support/world.js';

test('frames go no faster than the relay lets one participant speak, by count and by bytes', () => {
  const [many, large] = [new Pace(), new Pace()];
  let count = 0;
  while (many.take(0, 1) === 0) count += 1;
  assert.ok(count < limits.frameBurstLimit && count > limits.frameBurstLimit / 2);
  let bytes = 0;
  while (large.take(0, 300_000) === 0) bytes += 300_000;
  assert.ok(bytes < limits.byteBurstLimit && bytes > limits.byteBurstLimit / 2);
  const pause = large.take(0, 300_000);
  assert.ok(pause > 0 && pause < 1_000);
  assert.equal(large.take(pause, 300_000), 0);
  const later = 1_000_000;
  for (let second = 0; second < 10; second += 1) {
    let sent = 0;
    while (large.take(later + second * 1_000, 65_536) === 0) sent += 65_536;
    if (second > 0) assert.ok(sent <= limits.bytesPerSecondLimit);
  }
});

test('records beyond the window wait for their turn, in order, and a large one goes alone', async () => {
  const window = new RecordWindow();
  const half = limits.recordsInFlightSizeLimitBytes / 2;
  /** @type {string[]} */
  const entered = [];
  const enter = (/** @type {string} */ name, /** @type {number} */ size) => window.enter(size).then(() => entered.push(name));
  void enter('a', half);
  void enter('b', half);
  void enter('large', 3 * half);
  void enter('small', 1);
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['a', 'b']);
  window.leave(half);
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['a', 'b']);
  window.leave(half);
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['a', 'b', 'large']);
  window.leave(3 * half);
  await new Promise(setImmediate);
  assert.deepEqual(entered, ['a', 'b', 'large', 'small']);
});

test('a sender whose records get no place stops at 4 MiB, goes on when they do, and loses none', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const bytesOf = () => world.relay.received.reduce((sum, { frame }) => sum + (frame.type === 'record' ? frame.sealed.length : 0), 0);
  let isHolding = true;
  const me = ana.conversation.localParticipant.id;
  // Echoes are swallowed until the connection is made anew.
  world.relay.onWay = (frame, participant) => (isHolding && participant === me && frame.type === 'ordered' ? null : frame);
  const text = 'x'.repeat(200_000);
  const sent = Array.from({ length: 40 }, (_, count) => ana.messenger?.send({ count, text }));
  await world.until(() => ben.heard.length > 10 && bytesOf() > 3_500_000);
  await world.wait(new Promise((resolve) => world.clock.setTimeout(() => resolve(undefined), 3_000)));
  assert.ok(bytesOf() <= limits.recordsInFlightSizeLimitBytes * 1.2, `${bytesOf()} bytes are on their way`);
  isHolding = false;
  world.relay.cut();
  await world.wait(Promise.all(sent));
  await world.until(() => ben.heard.length === 40);
  assert.deepEqual(ben.heard.map(([, message]) => /** @type {any} */ (message).count), Array.from({ length: 40 }, (_, count) => count));
});

test('leaving a conversation does not wait for records that get no place', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const me = ana.conversation.localParticipant.id;
  world.relay.onWay = (frame, participant) => (participant === me && frame.type === 'ordered' ? null : frame);
  for (let count = 0; count < 40; count += 1) ana.messenger?.send('x'.repeat(200_000))?.catch(() => {});
  await world.until(() => ben.heard.length > 10);
  await world.wait(ana.conversation.leave());
  assert.equal(ana.conversation.state, 'closed');
  await world.until(() => ben.conversation.participants.length === 1);
});
