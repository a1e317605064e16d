// A large attachment over a slow link: the connection lasts, and messages pass it by. Run by scripts/slow-link, which makes the link slow.
// node --experimental-websocket Tests/crash/slow-link.mjs [--megabytes 95]; HEARTH names another relay than the built one.

import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';

import { Conversation, Invitation } from '../../Web/groupactivities/index.js';
import { RelayProcess } from '../../Web/tests/real-relay/relay-process.js';
import { Person, drawing, photo } from '../../Web/tests/support/person.js';

const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '95' } } });
const roundTripLimitMilliseconds = 1_000;
const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const relay = new RelayProcess();
await relay.start();
try {
  const ana = new Person(await Conversation.create({ relay: relay.origin, name: 'Ana' }));
  const ben = new Person(await Conversation.join(Invitation.parse(ana.conversation.invitation.link), { name: 'Ben' }));
  await ana.conversation.activate({ activityIdentifier: drawing, activity: {} });
  for (const person of [ana, ben]) {
    while (person.offered.length === 0) await sleep(5);
    person.join();
    while (person.session.state !== 'joined') await sleep(5);
  }
  const started = performance.now();
  const attachment = await ana.journal?.add(photo(Number(values.megabytes) * 1_000_000));
  assert.ok(attachment);
  const state = { isUploaded: false };
  void attachment.uploaded?.then(() => { state.isUploaded = true; });
  /** @type {number[]} */
  const trips = [];
  while (!state.isUploaded) {
    // There and back: Ben hears it, and Ana hears that it has its place.
    const sent = performance.now();
    const count = ben.heard.length;
    await ana.messenger?.send(trips.length);
    while (ben.heard.length === count) await sleep(1);
    trips.push(performance.now() - sent);
    await sleep(200);
  }
  const seconds = (performance.now() - started) / 1_000;
  const metrics = await (await fetch(`${relay.origin}/metrics`)).text();
  const connections = Number(/^hearth_participant_connections_total (\d+)$/m.exec(metrics)?.[1]);
  trips.sort((left, right) => left - right);
  const slowest = trips[trips.length - 1];
  process.stdout.write(
    `slow link: ${values.megabytes} MB in ${seconds.toFixed(0)} s (${(Number(values.megabytes) / seconds).toFixed(2)} MB/s), ${trips.length} messages, `
      + `median ${trips[Math.floor(trips.length / 2)].toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms, ${connections} connections of 2 participants\n`,
  );
  assert.equal(connections, 2, 'a connection was lost');
  assert.ok(slowest < roundTripLimitMilliseconds, `a message took ${slowest.toFixed(0)} ms`);
  await Promise.all([ana, ben].map(({ conversation }) => conversation.leave()));
} finally {
  await relay.erase();
}
process.exit();
