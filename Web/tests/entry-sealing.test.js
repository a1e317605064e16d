// Entries: only what its maker signed, under its own name, opens; and what stands in them.

import assert from 'node:assert/strict';
import test from 'node:test';

import { ByteWriter } from '../groupactivities/bytes.js';
import { activityBody, introductionBody, openEntry, readActivity, readIntroduction, sealEntry } from '../groupactivities/entry-sealing.js';
import { randomId } from '../groupactivities/identifiers.js';
import { limits } from '../groupactivities/limits.js';
import { decodeManifest, encodeManifest } from '../groupactivities/manifest.js';
import { bodyLength, partCount } from '../groupactivities/attachment-body.js';
import { counting, flips } from './support/bytes.js';
import { isCode } from './support/claims.js';
import { sealerAndOpener } from './support/people.js';

async function sealedEntry(body = counting(90)) {
  const { keys, identity, sessionId } = await sealerAndOpener('record');
  const entryId = randomId();
  return { keys, identity, sessionId, entryId, body, sealed: await sealEntry({ keys, identity, sessionId, entryId, kind: 3, body }) };
}

test('an entry opens as it was sealed and tells its maker', async () => {
  const { keys, identity, sessionId, entryId, body, sealed } = await sealedEntry();
  assert.deepEqual(await openEntry({ keys, sessionId, entryId, sealed }), { publicKey: identity.publicKey, makerId: identity.participantId, kind: 3, body });
});

test('an entry with any byte changed does not open', async () => {
  const { keys, sessionId, entryId, sealed } = await sealedEntry();
  for (const { index, flipped } of flips(sealed)) {
    await assert.rejects(openEntry({ keys, sessionId, entryId, sealed: flipped }), isCode('tampered'), `byte ${index}`);
  }
});

test('an entry that is cut at any byte, or has one more, does not open', async () => {
  const { keys, sessionId, entryId, sealed } = await sealedEntry();
  for (let length = 0; length < sealed.length; length += 1) {
    await assert.rejects(openEntry({ keys, sessionId, entryId, sealed: sealed.subarray(0, length) }), isCode('tampered'), `${length} bytes`);
  }
  await assert.rejects(openEntry({ keys, sessionId, entryId, sealed: Uint8Array.of(...sealed, 0) }), isCode('tampered'));
});

test('an entry does not open under another name, in another session or conversation', async () => {
  const { keys, sessionId, entryId, sealed } = await sealedEntry();
  const other = await sealerAndOpener('record');
  for (const moved of [{ entryId: randomId() }, { sessionId: randomId() }, { keys: other.keys }]) {
    await assert.rejects(openEntry({ keys, sessionId, entryId, sealed, ...moved }), isCode('tampered'));
  }
});

test('the same entry sealed twice has no bytes in common', async () => {
  const { keys, identity, sessionId, entryId, body, sealed } = await sealedEntry();
  const again = await sealEntry({ keys, identity, sessionId, entryId, kind: 3, body });
  assert.equal(again.length, sealed.length);
  assert.notDeepEqual(again.subarray(0, 16), sealed.subarray(0, 16));
  assert.notDeepEqual(again.subarray(16, 80), sealed.subarray(16, 80));
});

test('an entry beyond its limit is refused with the limit and the value', async () => {
  const { keys, identity, sessionId, entryId } = await sealedEntry();
  await assert.rejects(sealEntry({ keys, identity, sessionId, entryId, kind: 3, body: new Uint8Array(limits.entrySizeLimitBytes) }), (/** @type {any} */ error) => {
    isCode('entry-too-large')(error);
    return error.limit === limits.entrySizeLimitBytes && error.value > error.limit;
  });
});

test('a name comes back, in any script, from 1 to 64 bytes', () => {
  for (const name of ['A', 'Zoë', '李小龙', '👩‍👩‍👧‍👧', 'x'.repeat(64), '\ufeffBom']) assert.equal(readIntroduction(introductionBody(name)), name);
  assert.throws(() => introductionBody(''), isCode('malformed'));
  assert.throws(() => introductionBody('ü'.repeat(33)), (/** @type {any} */ error) => isCode('name-too-long')(error) && error.limit === 64 && error.value === 66);
});

test('an introduction from a stranger with no name, a long one or no text is refused', () => {
  for (const bytes of [new Uint8Array(0), new Uint8Array(65).fill(65), Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xed, 0xa0, 0x80)]) {
    assert.throws(() => readIntroduction(new ByteWriter().vec(bytes).finish()), isCode('malformed'));
  }
  assert.throws(() => readIntroduction(new Uint8Array(0)), isCode('malformed'));
  assert.throws(() => readIntroduction(Uint8Array.of(5, 65)), isCode('malformed'));
});

test('the announcement of an activity comes back', () => {
  const announcement = { activityIdentifier: 'org.example.Drawing', activity: { title: 'Plan ✎', pages: [1, 2] }, metadata: { title: 'Plan', type: 'createTogether' } };
  assert.deepEqual(readActivity(activityBody(announcement)), announcement);
  assert.deepEqual(readActivity(activityBody({ activityIdentifier: 'x', activity: undefined, metadata: null })), { activityIdentifier: 'x', activity: null, metadata: null });
});

test('an announcement from a stranger that is cut or not JSON is refused', () => {
  const body = activityBody({ activityIdentifier: 'org.example.Drawing', activity: { a: 1 }, metadata: {} });
  for (let length = 0; length < body.length; length += 1) assert.throws(() => readActivity(body.subarray(0, length)), isCode('malformed'));
  const text = new TextEncoder();
  assert.throws(() => readActivity(new ByteWriter().vec(text.encode('x')).vec(text.encode('{')).vec(text.encode('{}')).finish()), isCode('malformed'));
});

const manifest = (/** @type {Partial<import('../groupactivities/manifest.js').Manifest>} */ changes = {}) => ({
  ikm: counting(16), salt: counting(16, 16), plainLength: 3_000_000, partHashes: /** @type {Uint8Array[]} */ ([]), metadata: { name: 'a.jpg' }, ...changes,
});

test('a manifest comes back, with the hashes of all parts or of none', () => {
  const partHashes = Array.from({ length: partCount(bodyLength(3_000_000)) }, (_, part) => counting(32, part));
  assert.equal(partHashes.length, 3);
  for (const each of [manifest(), manifest({ partHashes }), manifest({ plainLength: 0 }), manifest({ metadata: null })]) assert.deepEqual(decodeManifest(encodeManifest(each)), each);
});

test('a manifest beyond a limit is refused with the limit and the value', () => {
  const tooLong = () => encodeManifest(manifest({ plainLength: 100_000_001 }));
  assert.throws(tooLong, (/** @type {any} */ error) => isCode('attachment-too-large')(error) && error.limit === 100_000_000 && error.value === 100_000_001);
  const metadata = 'x'.repeat(65_535);
  assert.throws(() => encodeManifest(manifest({ metadata })), (/** @type {any} */ error) => isCode('metadata-too-large')(error) && error.limit === 65_536 && error.value === 65_537);
  assert.deepEqual(decodeManifest(encodeManifest(manifest({ metadata: 'x'.repeat(65_534) }))).metadata, 'x'.repeat(65_534));
});

test('a manifest from a stranger that is cut, too long or with another number of hashes is refused', () => {
  const whole = encodeManifest(manifest());
  for (let length = 0; length < whole.length; length += 1) assert.throws(() => decodeManifest(whole.subarray(0, length)), isCode('malformed'), `${length} bytes`);
  /** @param {{ recordSize?: number, plainLength?: bigint, hashes?: number, json?: number }} figures */
  const written = ({ recordSize = 65_536, plainLength = 3_000_000n, hashes = 0, json = 2 }) =>
    new ByteWriter().raw(counting(32)).u32(recordSize).u64(plainLength).vec(new Uint8Array(hashes)).vec(new Uint8Array(json).fill(0x31)).finish();
  decodeManifest(written({}));
  for (const broken of [{ recordSize: 4_096 }, { recordSize: 0 }, { plainLength: 100_000_001n }, { plainLength: 2n ** 64n - 1n }, { hashes: 64 }, { hashes: 95 }, { hashes: 128 }, { json: 65_537 }, { json: 0 }]) {
    assert.throws(() => decodeManifest(written(broken)), isCode('malformed'), Object.keys(broken)[0]);
  }
});

test('the greatest manifest fits into an entry', async () => {
  const partHashes = Array.from({ length: partCount(limits.bodySizeLimitBytes) }, () => counting(32));
  const body = encodeManifest(manifest({ plainLength: limits.attachmentSizeLimitBytes, partHashes, metadata: 'x'.repeat(65_534) }));
  const { sealed } = await sealedEntry(body);
  assert.ok(sealed.length <= limits.entrySizeLimitBytes);
});
