// Coming back after restarts that follow each other closely.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { OWN_SESSION } from '../groupactivities/identifiers.js';
import { World } from './support/world.js';

for (const lost of ['the own session', 'the session']) {
  test(`who is cut off after the welcome of a restarted relay and before the position of ${lost} misses nothing`, async () => {
    const world = new World();
    const [ana, ben] = await world.together('Ana', 'Ben');
    await world.wait(/** @type {any} */ (ana.messenger?.send(0)));
    await world.until(() => ben.heard.length === 1);
    const me = ben.conversation.localParticipant.id;
    let cuts = 0;
    world.relay.onWay = (frame, participant) => {
      const isLost = frame.type === 'position' && (frame.session === OWN_SESSION) === (lost === 'the own session');
      if (participant !== me || !isLost || cuts > 0) return frame;
      cuts += 1;
      world.clock.setTimeout(() => world.relay.sockets.at(-1)?.fail(1006), 1);
      return null;
    };
    world.relay.kill();
    await world.until(() => ana.conversation.state === 'reconnecting');
    for (let count = 1; count < 4; count += 1) ana.messenger?.send(count);
    world.relay.start();
    await world.until(() => cuts === 1);
    world.relay.kill();
    await world.until(() => ana.conversation.state === 'reconnecting' && ben.conversation.state === 'reconnecting');
    world.relay.onHello = (participant) => participant !== me;
    world.relay.start();
    await world.until(() => ana.conversation.state === 'connected');
    await world.wait(/** @type {any} */ (ana.messenger?.send(4)));
    world.relay.onHello = () => true;
    await world.until(() => ben.conversation.state === 'connected');
    await world.wait(/** @type {any} */ (ana.messenger?.send(5)));
    await world.until(() => ben.heard.length >= 6 || ben.session.state === 'invalidated');
    assert.deepEqual(ben.heard.map(([, message]) => message), [0, 1, 2, 3, 4, 5]);
    assert.equal(ben.session.state, 'joined');
  });
}
