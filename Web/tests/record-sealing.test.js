// Records and samples: only what was sealed opens, and no nonce is used twice.

import assert from 'node:assert/strict';
import test from 'node:test';

import { randomId } from '../groupactivities/identifiers.js';
import { Identity } from '../groupactivities/identity.js';
import { limits } from '../groupactivities/limits.js';
import { RecordOpener, RecordSealer, ReplayWindow, kidOf, readHeader } from '../groupactivities/record-sealing.js';
import { padme } from '../groupactivities/padme.js';
import { counting, flips } from './support/bytes.js';
import { isCode } from './support/claims.js';
import { sealerAndOpener } from './support/people.js';

const classes = /** @type {const} */ (['record', 'sample']);
const payload = counting(100);
/** Of a sender that has no place in the session. */
const saidOfTheLog = { record: { incarnation: 0n, from: 0, to: 0, digest: new Uint8Array(32) }, sample: null };

for (const recordClass of classes) {
  test(`a ${recordClass} opens as it was sealed, whoever it is for`, async () => {
    const { identity, sealer, opener } = await sealerAndOpener(recordClass);
    const people = [randomId(), randomId(), randomId()];
    for (const recipients of [[], people.slice(0, 1), people]) {
      const { counter, sealed } = await sealer.seal({ kind: 2, payload, recipients });
      assert.deepEqual(readHeader(sealed), { kid: kidOf(identity.participantId, recordClass), counter });
      assert.deepEqual(await opener.open({ sealed, recipients: recipients.toReversed() }), { counter, kind: 2, payload, stretch: saidOfTheLog[recordClass] });
    }
  });

  test(`a ${recordClass} with any byte changed does not open`, async () => {
    const { sealer, opener } = await sealerAndOpener(recordClass);
    const { sealed } = await sealer.seal({ kind: 1, payload, recipients: [] });
    for (const { index, flipped } of flips(sealed)) {
      await assert.rejects(opener.open({ sealed: flipped, recipients: [] }), isCode('tampered', 'malformed'), `byte ${index}`);
    }
  });

  test(`a ${recordClass} that is cut at any byte, or has one more, does not open`, async () => {
    const { sealer, opener } = await sealerAndOpener(recordClass);
    const { sealed } = await sealer.seal({ kind: 1, payload, recipients: [] });
    for (let length = 0; length < sealed.length; length += 1) {
      await assert.rejects(opener.open({ sealed: sealed.subarray(0, length), recipients: [] }), isCode('tampered', 'malformed'), `${length} bytes`);
    }
    await assert.rejects(opener.open({ sealed: Uint8Array.of(...sealed, 0), recipients: [] }), isCode('tampered'));
  });

  test(`a ${recordClass} does not open for other recipients, in another session, conversation or class, or as another's`, async () => {
    const { keys, identity, sessionId, sealer } = await sealerAndOpener(recordClass);
    const to = [randomId(), randomId()];
    const { sealed } = await sealer.seal({ kind: 1, payload, recipients: to });
    const right = { keys, sessionId, class: recordClass, senderId: identity.participantId, publicKey: identity.publicKey };
    const other = await sealerAndOpener(recordClass);
    const openers = {
      session: { ...right, sessionId: randomId() },
      conversation: { ...right, keys: other.keys },
      class: { ...right, class: classes[1 - classes.indexOf(recordClass)] },
      sender: { ...right, senderId: other.identity.participantId },
    };
    for (const [what, options] of Object.entries(openers)) {
      await assert.rejects((await RecordOpener.create(options)).open({ sealed, recipients: to }), isCode('tampered'), what);
    }
    const opener = await RecordOpener.create(right);
    for (const recipients of [[], to.slice(1), [...to, randomId()], [to[0], to[0]]]) {
      await assert.rejects(opener.open({ sealed, recipients }), isCode('tampered'));
    }
    await opener.open({ sealed, recipients: to });
  });

  test(`overlapping seals of a ${recordClass} never share a counter, and take them in the order of the calls`, async () => {
    const { sealer, opener } = await sealerAndOpener(recordClass);
    const sealing = Array.from({ length: 200 }, (_, number) => sealer.seal({ kind: 2, payload: Uint8Array.of(number), recipients: [] }));
    const frames = await Promise.all(sealing);
    assert.deepEqual(frames.map(({ counter }) => counter), Array.from({ length: 200 }, (_, number) => number));
    const opened = await Promise.all(frames.map(({ sealed }) => opener.open({ sealed, recipients: [] })));
    assert.deepEqual(opened.map((each) => [each.counter, each.payload[0]]), frames.map((_, number) => [number, number]));
  });

  test(`a ${recordClass} that is refused takes no counter`, async () => {
    const { sealer } = await sealerAndOpener(recordClass);
    const refused = [
      { kind: 1, payload: new Uint8Array(limits.recordSizeLimitBytes), recipients: [] },
      { kind: 1, payload, recipients: Array.from({ length: limits.recipientCountLimit + 1 }, randomId) },
      { kind: 1, payload, recipients: ['nobody'] },
      { kind: 999, payload, recipients: [] },
    ];
    for (const content of refused) await assert.rejects(sealer.seal(content));
    assert.equal((await sealer.seal({ kind: 1, payload, recipients: [] })).counter, 0);
  });

  test(`the length of a ${recordClass} tells only a padded length`, async () => {
    const { sealer } = await sealerAndOpener(recordClass);
    const overhead = recordClass === 'record' ? 64 + 56 : 0;
    for (const length of [0, 1, 63, 64, 1_000, 5_000, 20_000]) {
      const { sealed } = await sealer.seal({ kind: 1, payload: new Uint8Array(length), recipients: [] });
      const content = overhead + 1 + (length < 64 ? 1 : length < 16_384 ? 2 : 4) + length;
      assert.equal(sealed.length - 16 - headerLength(sealed), padme(content));
    }
  });
}

/** @param {Uint8Array} sealed */
function headerLength(sealed) {
  const field = (/** @type {number} */ bits) => ((bits & 8) === 0 ? 0 : (bits & 7) + 1);
  return 1 + field(sealed[0] >> 4) + field(sealed[0] & 15);
}

test('the greatest payload of a message fits into a record, with the longest identifier that is left room for', async () => {
  const { sealer, opener } = await sealerAndOpener('record');
  const recipients = Array.from({ length: limits.recipientCountLimit }, randomId);
  const { sealed } = await sealer.seal({ kind: 1, payload: new Uint8Array(limits.messageSizeLimitBytes + 1_024), recipients });
  assert.ok(sealed.length <= limits.recordSizeLimitBytes);
  assert.equal((await opener.open({ sealed, recipients })).payload.length, limits.messageSizeLimitBytes + 1_024);
});

test('too large a payload is refused with the limit and the value', async () => {
  const { sealer } = await sealerAndOpener('record');
  await assert.rejects(sealer.seal({ kind: 1, payload: new Uint8Array(400_000), recipients: [] }), (/** @type {any} */ error) => {
    isCode('message-too-large')(error);
    assert.equal(error.limit, limits.recordSizeLimitBytes);
    assert.ok(error.value > 400_000);
    return true;
  });
});

test('a member who has the keys cannot seal a record in another\'s name', async () => {
  const { keys, identity, sessionId, opener } = await sealerAndOpener('record');
  const stranger = await Identity.create(keys.conversationId);
  const impostor = new Identity({
    conversationId: keys.conversationId,
    participantId: identity.participantId,
    publicKey: identity.publicKey,
    privateKey: /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify'])).privateKey,
  });
  assert.notEqual(stranger.participantId, identity.participantId);
  const forger = await RecordSealer.create({ keys, identity: impostor, sessionId, class: 'record' });
  const { sealed } = await forger.seal({ kind: 1, payload, recipients: [] });
  await assert.rejects(opener.open({ sealed, recipients: [] }), isCode('tampered'));
});

test('the same payload is never the same bytes, in any session or class', async () => {
  const { keys, identity } = await sealerAndOpener('record');
  const seen = new Set();
  for (const recordClass of classes) {
    for (const sessionId of [randomId(), randomId()]) {
      const sealer = await RecordSealer.create({ keys, identity, sessionId, class: recordClass });
      for (let number = 0; number < 3; number += 1) seen.add((await sealer.seal({ kind: 1, payload, recipients: [] })).sealed.subarray(-16).join());
    }
  }
  assert.equal(seen.size, 12);
});

test('KIDs of the two classes differ in the top two bits only', async () => {
  const { identity } = await sealerAndOpener('record');
  const [record, sample] = classes.map((recordClass) => kidOf(identity.participantId, recordClass));
  assert.equal(record >> 62n, 0n);
  assert.equal(sample, record | 1n << 62n);
});

test('a counter of 2^32 and more is refused', () => {
  const header = Uint8Array.of(0x0c, 1, 0, 0, 0, 0);
  assert.throws(() => readHeader(header), isCode('malformed'));
  assert.deepEqual(readHeader(Uint8Array.of(0x0b, 255, 255, 255, 255)), { kid: 0n, counter: 2 ** 32 - 1 });
});

test('a sample counts once within the last 256 and not at all before', () => {
  const window = new ReplayWindow();
  assert.deepEqual([5, 5, 3, 3, 0, 0, 6].map((counter) => window.accept(counter)), [true, false, true, false, true, false, true]);
  assert.deepEqual([261, 5, 4, 6, 7, 260, 261].map((counter) => window.accept(counter)), [true, false, false, false, true, true, false]);
  assert.equal(window.accept(10_000), true);
  assert.deepEqual([9_744, 9_745, 9_999, 9_745].map((counter) => window.accept(counter)), [false, true, true, false]);
});

test('the window agrees with a plain set, for a long run in disorder', () => {
  const window = new ReplayWindow();
  const seen = new Set();
  let highest = -1;
  let state = 12_345;
  for (let round = 0; round < 20_000; round += 1) {
    state = Math.imul(state, 1_103_515_245) + 12_345 >>> 0;
    const counter = Math.max(0, Math.floor(round / 3) + (state >>> 16) % 400 - 300);
    const isNew = counter > highest - 256 && !seen.has(counter);
    assert.equal(window.accept(counter), isNew, `${counter} in round ${round}`);
    seen.add(counter);
    highest = Math.max(highest, counter);
  }
});
