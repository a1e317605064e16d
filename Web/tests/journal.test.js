// Attachments in whole conversations: sent once, there for everyone, whatever breaks on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { relayAnswer } from './support/fake-attachments.js';
import { isSame, photo } from './support/person.js';
import { World } from './support/world.js';

/** @typedef {import('../groupactivities/attachment.js').Attachment} Attachment */
/** @param {World} world @param {import('./support/person.js').Person} person @param {Blob} item @param {any} [options] @returns {Promise<Attachment>} */
const add = (world, person, item, options) => world.wait(/** @type {any} */ (person.journal?.add(item, options)));
const puts = (/** @type {World} */ world) => world.relay.attachments.requests.filter((request) => request.startsWith('PUT'));

test('an attachment is sent once and loads byte for byte at everyone, with its metadata', async () => {
  const world = new World();
  const [ana, ben, eva] = await world.together('Ana', 'Ben', 'Eva');
  const item = photo(3_000_000);
  const attachment = await add(world, ana, item, { metadata: { title: 'Sea' } });
  await world.wait(/** @type {any} */ (attachment.uploaded));
  assert.equal(attachment.progress.phase, 'done');
  for (const person of [ben, eva]) {
    await world.until(() => person.attachments.length === 1);
    const [received] = person.attachments;
    assert.deepEqual([received.metadata, received.size, received.owner?.name, received.isLocal], [{ title: 'Sea' }, 3_000_000, 'Ana', false]);
    assert.ok(await isSame(await world.wait(received.load()), item));
    assert.equal(received.isUploaded, true);
  }
  assert.deepEqual(puts(world).toSorted(), ['PUT 0', 'PUT 1', 'PUT 2']);
  assert.equal(await world.wait(attachment.load()), item);
});

test('a photo added before the third participant joined is there when they arrive', async () => {
  const world = new World();
  const [ana] = await world.together('Ana', 'Ben');
  const attachment = await add(world, ana, photo(1_000));
  await world.wait(/** @type {any} */ (attachment.uploaded));
  const before = puts(world).length;
  const eva = await world.join(ana, 'Eva');
  await world.until(() => eva.offered.length === 1);
  eva.join();
  assert.equal(eva.journal?.isComplete, false);
  await world.until(() => eva.journal?.isComplete && eva.attachments.length === 1);
  assert.ok(await isSame(await world.wait(eva.attachments[0].load()), photo(1_000)));
  assert.equal(puts(world).length, before);
});

test('an item of no bytes travels too', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await add(world, ana, new Blob([]));
  await world.until(() => ben.attachments.length === 1);
  assert.equal((await world.wait(ben.attachments[0].load())).size, 0);
});

test('whoever loads while the upload still runs gets the item once it is whole', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  let isHeld = true;
  world.relay.attachments.intercept = ({ method, part }) => (isHeld && method === 'PUT' && part === 2 ? relayAnswer(409) : null);
  const item = photo(2_500_000);
  const attachment = await add(world, ana, item);
  await world.until(() => ben.attachments.length === 1);
  const loading = ben.attachments[0].load();
  await world.until(() => ben.attachments[0].progress.phase === 'moving');
  await world.clock.pass(30_000);
  assert.equal(ben.attachments[0].isUploaded, false);
  isHeld = false;
  assert.ok(await isSame(await world.wait(loading), item));
  assert.equal(attachment.isUploaded, true);
});

test('a relay that is killed in mid-upload and comes back after 20 s is sent only the missing parts', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const item = photo(9_000_000);
  const attachment = await add(world, ana, item);
  const body = () => [...world.relay.attachments.bodies.values()][0];
  await world.until(() => body()?.size >= 3);
  const held = new Set(body().keys());
  world.relay.kill();
  await world.clock.pass(20_000);
  assert.equal(attachment.progress.phase, 'interrupted');
  const before = world.relay.attachments.requests.length;
  world.relay.start();
  await world.wait(/** @type {any} */ (attachment.uploaded));
  const again = world.relay.attachments.requests.slice(before).filter((request) => request.startsWith('PUT')).map((request) => Number(request.slice(4)));
  assert.ok(again.length > 0);
  assert.deepEqual(again.filter((part) => held.has(part)), []);
  await world.until(() => ben.attachments.length === 1);
  assert.ok(await isSame(await world.wait(ben.attachments[0].load()), item));
});

test('a relay that is killed in mid-download is asked only for the parts that had not come', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const item = photo(9_000_000);
  await world.wait(/** @type {any} */ ((await add(world, ana, item)).uploaded));
  await world.until(() => ben.attachments.length === 1);
  const [attachment] = ben.attachments;
  const loading = attachment.load();
  await world.until(() => attachment.progress.bytes >= 3_000_000);
  world.relay.kill();
  await world.clock.pass(20_000);
  assert.equal(attachment.progress.phase, 'interrupted');
  const before = world.relay.attachments.requests.length;
  world.relay.start();
  assert.ok(await isSame(await world.wait(loading), item));
  assert.equal(world.relay.attachments.requests.slice(before).includes('GET 0'), false);
});

test('a 503 for the first two requests of a part delays it and no more', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(1_000))).uploaded));
  let count = 0;
  world.relay.attachments.intercept = ({ method }) => (method === 'GET' && (count += 1) <= 2 ? relayAnswer(503) : null);
  await world.until(() => ben.attachments.length === 1);
  assert.ok(await isSame(await world.wait(ben.attachments[0].load()), photo(1_000)));
  assert.equal(count, 3);
});

test('an answer whose head comes and whose body does not is given up, and the part is sent again', async () => {
  const world = new World();
  const [ana] = await world.together('Ana', 'Ben');
  let count = 0;
  world.relay.attachments.intercept = ({ method, signal }) => {
    if (method !== 'PUT' || (count += 1) > 1) return null;
    const body = new ReadableStream({ start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)) });
    return new Response(body, { status: 201, headers: { Hearth: '1' } });
  };
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(1_000))).uploaded));
  assert.equal(count, 2);
});

test("a proxy's page in place of a part, or of the relay's answer to one, is never taken for success", async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  let count = 0;
  world.relay.attachments.intercept = () => ((count += 1) % 3 === 1 ? new Response('<html>Sign in</html>', { status: 200 }) : null);
  const attachment = await add(world, ana, photo(1_000));
  await world.until(() => attachment.progress.phase === 'interrupted');
  assert.equal(attachment.progress.error?.code, 'not-from-relay');
  await world.wait(/** @type {any} */ (attachment.uploaded));
  await world.until(() => ben.attachments.length === 1);
  assert.ok(await isSame(await world.wait(ben.attachments[0].load()), photo(1_000)));
});

test('a proxy that refuses the size ends the upload with proxy-limit and takes the attachment back', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  world.relay.attachments.intercept = ({ method }) => (method === 'PUT' ? new Response('too large', { status: 413 }) : null);
  const attachment = await add(world, ana, photo(1_000));
  assert.equal((await world.failure(/** @type {any} */ (attachment.uploaded))).code, 'proxy-limit');
  assert.equal(attachment.progress.phase, 'failed');
  await world.until(() => ben.attachments.length === 0 && ana.attachments.length === 0);
});

test('a part with one byte changed is never given to the app', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(2_000_000))).uploaded));
  await world.until(() => ben.attachments.length === 1);
  const body = [...world.relay.attachments.bodies.values()][0];
  /** @type {Uint8Array} */ (body.get(1))[500] ^= 1;
  assert.equal((await world.failure(ben.attachments[0].load())).code, 'tampered');
  assert.equal(ben.attachments[0].progress.phase, 'failed');
  assert.equal(ben.session.state, 'joined');
});

test('a quota that is used up refuses the attachment with limit and value, and nothing is sent', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  world.conversation.onPut = () => ({ code: 'conversation-quota', limit: 1_000, value: 5_000 });
  const error = await world.failure(/** @type {any} */ (ana.journal?.add(photo(4_000))));
  assert.deepEqual([error.code, error.limit, error.value], ['conversation-quota', 1_000, 5_000]);
  assert.deepEqual([puts(world).length, ana.attachments.length, ben.attachments.length], [0, 0, 0]);
});

test('101 MB and too much metadata are refused before a byte is sent', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  const huge = /** @type {any} */ (Object.create(Blob.prototype, { size: { value: 101_000_000 } }));
  const error = await world.failure(/** @type {any} */ (ana.journal?.add(huge)));
  assert.deepEqual([error.code, error.limit, error.value], ['attachment-too-large', 100_000_000, 101_000_000]);
  assert.equal((await world.failure(/** @type {any} */ (ana.journal?.add(photo(1), { metadata: 'x'.repeat(70_000) })))).code, 'metadata-too-large');
  assert.equal(puts(world).length, 0);
});

test('removing an attachment stops who loads it and who sends it, at once and everywhere', async () => {
  const world = new World();
  const [ana, ben, eva] = await world.together('Ana', 'Ben', 'Eva');
  world.relay.attachments.intercept = ({ method, part }) => (method === 'PUT' && part === 1 ? 'hang' : null);
  const attachment = await add(world, ana, photo(1_500_000));
  await world.until(() => ben.attachments.length === 1 && eva.attachments.length === 1);
  const loading = world.failure(ben.attachments[0].load());
  await world.until(() => ben.attachments[0].progress.phase === 'moving');
  await world.wait(/** @type {any} */ (eva.journal?.remove(eva.attachments[0])));
  assert.equal((await loading).code, 'removed');
  assert.equal((await world.failure(/** @type {any} */ (attachment.uploaded))).code, 'removed');
  await world.until(() => [ana, ben, eva].every(({ attachments }) => attachments.length === 0));
  assert.equal(world.relay.attachments.bodies.size, 0);
  assert.equal((await world.failure(attachment.load())).code, 'removed');
});

test('a source that changes under way ends the upload with source-changed', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  const item = photo(3_000_000);
  let count = 0;
  const slice = item.slice.bind(item);
  item.slice = (start, end) => {
    count += 1;
    return count < 3 ? slice(start, end) : slice(start, Number(end) - 1);
  };
  const attachment = await add(world, ana, item);
  assert.equal((await world.failure(/** @type {any} */ (attachment.uploaded))).code, 'source-changed');
  await world.until(() => ana.attachments.length === 0);
});

test('leaving the session in mid-upload takes the half attachment back', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  world.relay.attachments.intercept = ({ method }) => (method === 'PUT' ? 'hang' : null);
  const attachment = await add(world, ana, photo(1_000));
  await world.until(() => ben.attachments.length === 1);
  ana.session.leave();
  assert.equal((await world.failure(/** @type {any} */ (attachment.uploaded))).code, 'session-invalidated');
  await world.until(() => ben.attachments.length === 0);
});

test('no more than three parts travel at once, and small uploads do not wait for a large one', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  let isHeld = true;
  world.relay.attachments.intercept = ({ method }) => (isHeld && method === 'PUT' ? relayAnswer(409) : null);
  const large = await add(world, ana, photo(20_000_000));
  const small = await Promise.all([1, 2, 3].map((count) => add(world, ana, photo(count))));
  isHeld = false;
  await world.wait(Promise.all(small.map(({ uploaded }) => uploaded)));
  assert.ok(large.progress.bytes < 12_000_000, `${large.progress.bytes}`);
  await world.wait(/** @type {any} */ (large.uploaded));
  assert.equal(world.relay.attachments.mostAtOnce.PUT, 3);
});

test('a transfer waits for a second before it asks a relay again that asked for it', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  /** @type {number[]} */
  const times = [];
  world.relay.attachments.intercept = ({ part }) => {
    if (part === null) return null;
    times.push(world.clock.time);
    return times.length % 2 === 1 ? relayAnswer(429) : null;
  };
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(1_000))).uploaded));
  await world.until(() => ben.attachments.length === 1);
  await world.wait(ben.attachments[0].load());
  assert.equal(times.length, 4);
  assert.ok(times[1] - times[0] >= 1_000 && times[3] - times[2] >= 1_000, `${times}`);
});

test('on a slow line parts go one at a time, so that messages need not wait behind several, and several again once it is quick', async () => {
  const world = new World();
  const [ana] = await world.together('Ana');
  const { attachments } = world.relay;
  const send = async (/** @type {number} */ milliseconds) => {
    attachments.partMilliseconds = milliseconds;
    attachments.mostAtOnce.PUT = 0;
    await world.wait(/** @type {any} */ ((await add(world, ana, photo(8_000_000))).uploaded));
    return attachments.mostAtOnce.PUT;
  };
  assert.equal(await send(700), 1);
  assert.equal(await send(20), 3);
  await send(700);
  assert.equal(await send(700), 1);
});

test('on a slow line parts are loaded one at a time too, by all loads together, and several again once it is quick', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const { attachments } = world.relay;
  for (const length of [8_000_000, 8_000_000]) await world.wait(/** @type {any} */ ((await add(world, ana, photo(length))).uploaded));
  await world.until(() => ben.attachments.length === 2 && ben.attachments.every(({ isUploaded }) => isUploaded));
  const load = async (/** @type {number} */ milliseconds) => {
    attachments.partMilliseconds = milliseconds;
    attachments.mostAtOnce.GET = 0;
    const blobs = await world.wait(Promise.all(ben.attachments.map((attachment) => attachment.load())));
    for (const blob of blobs) assert.ok(await isSame(blob, photo(8_000_000)));
    return attachments.mostAtOnce.GET;
  };
  assert.equal(await load(700), 1);
  assert.equal(await load(20), 3);
  await load(700);
  assert.equal(await load(700), 1);
});

test('a part that its uploader has not sent yet holds up no other load', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  const { attachments } = world.relay;
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(8_000_000))).uploaded));
  const stuck = await add(world, ana, photo(3_000_000));
  attachments.intercept = ({ method, id }) => (method === 'PUT' && id === stuck.id ? 'hang' : null);
  await world.until(() => ben.attachments.length === 2);
  const waiting = ben.attachments.find(({ id }) => id === stuck.id)?.load();
  waiting?.catch(() => {});
  const whole = ben.attachments.find(({ id }) => id !== stuck.id);
  const { time } = world.clock;
  assert.ok(await isSame(await world.wait(/** @type {any} */ (whole).load()), photo(8_000_000)));
  assert.ok(world.clock.time - time < 5_000);
});

test('aborting a load leaves the other loads of the attachment alone', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(1_000))).uploaded));
  await world.until(() => ben.attachments.length === 1);
  const controller = new AbortController();
  const first = world.failure(ben.attachments[0].load({ signal: controller.signal }));
  const second = ben.attachments[0].load();
  controller.abort();
  assert.equal((await first).code, 'aborted');
  assert.ok(await isSame(await world.wait(second), photo(1_000)));
});

test('removals that a restarted relay made known by leaving them out take effect', async () => {
  const world = new World();
  const [ana, ben] = await world.together('Ana', 'Ben');
  await world.wait(/** @type {any} */ ((await add(world, ana, photo(10))).uploaded));
  const stays = await add(world, ana, photo(20));
  await world.wait(/** @type {any} */ (stays.uploaded));
  await world.until(() => ben.attachments.length === 2);
  world.relay.kill();
  for (const session of world.conversation.sessions.values()) for (const [id, { frame }] of [...session.entries]) if (frame.bodyLength > 0 && id !== stays.id) session.entries.delete(id);
  world.relay.start();
  await world.until(() => ben.attachments.length === 1 && ben.journal?.isComplete);
  assert.equal(ben.attachments[0].id, stays.id);
});
