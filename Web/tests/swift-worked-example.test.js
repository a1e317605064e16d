// The worked example that the Swift library writes opens here, and comes out the same.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { BodyOpener, BodySealer, hashPart } from '../groupactivities/attachment-body.js';
import { openEntry, readActivity, readIntroduction } from '../groupactivities/entry-sealing.js';
import { Invitation } from '../groupactivities/invitation.js';
import { EpochKeys } from '../groupactivities/keys.js';
import { decodeManifest } from '../groupactivities/manifest.js';
import { RecordOpener, kidOf } from '../groupactivities/record-sealing.js';
import { hex, toHex } from './support/bytes.js';
import { isCode } from './support/claims.js';

const example = JSON.parse(readFileSync(new URL('../../Vectors/hearth/worked-example-swift.json', import.meta.url), 'utf8'));
const invitation = Invitation.parse(example.invitation.link);
const keys = await EpochKeys.from(invitation);
const [person] = example.participants;

/** @param {any} frame */
async function openFrame({ class: recordClass, sender, recipients, sealed }) {
  const opener = await RecordOpener.create({ keys, sessionId: example.session, class: recordClass, senderId: sender, publicKey: hex(person.publicKey) });
  return opener.open({ sealed: hex(sealed), recipients });
}

test('its invitation gives the same keys', async () => {
  assert.equal(invitation.link, example.invitation.link);
  assert.equal(toHex(invitation.secret), example.invitation.secret);
  assert.equal(toHex(keys.relayToken), example.keySchedule.relayToken);
  assert.equal(keys.code, example.keySchedule.code);
  assert.equal(toHex(await keys.baseKey(example.session)), example.keySchedule.baseKey);
  assert.equal(kidOf(person.participantId, 'record').toString(), person.recordKid);
  assert.equal(kidOf(person.participantId, 'sample').toString(), person.sampleKid);
});

for (const frame of example.frames) {
  test(`it opens: ${frame.what}`, async () => {
    const { stretch: _, ...opened } = await openFrame(frame);
    assert.deepEqual(opened, { counter: frame.counter, kind: frame.kind, payload: hex(frame.payload) });
  });
}

test('its entries open and can be read', async () => {
  for (const { session, entry, maker, kind, body, sealed } of example.entries) {
    const opened = await openEntry({ keys, sessionId: session, entryId: entry, sealed: hex(sealed) });
    assert.deepEqual([opened.makerId, opened.kind, toHex(opened.body)], [maker, kind, body]);
  }
  const bodies = example.entries.map((/** @type {any} */ { body }) => hex(body));
  assert.equal(readIntroduction(bodies[0]), 'Zoë 🦉');
  assert.deepEqual(readActivity(bodies[1]), { activityIdentifier: 'org.example.Watch', activity: { url: 'https://example.org/a' }, metadata: { title: 'Ä' } });
  assert.deepEqual(decodeManifest(bodies[2]).partHashes, []);
  const { plainLength, metadata, partHashes } = decodeManifest(bodies[3]);
  assert.deepEqual({ plainLength, metadata, partHashes: partHashes.map(toHex) }, { plainLength: example.body.plainLength, metadata: { name: 'Straße.heic', at: 1.5 }, partHashes: example.body.partHashes });
});

test('its body is sealed to the same parts here and opens', async () => {
  const { attachmentId, plainLength, bodyLength, partLengths, partHashes } = example.body;
  const plaintext = Uint8Array.from({ length: plainLength }, (_, index) => 31 * index + Math.floor(index / 512) & 0xff);
  const options = { ikm: hex(example.body.ikm), salt: hex(example.body.salt), attachmentId, plainLength };
  const sealer = await BodySealer.create({ ...options, read: async (offset, length) => plaintext.subarray(offset, offset + length) });
  const opener = await BodyOpener.create({ ...options, bodyLength });
  const opened = [];
  for (const [number, length] of partLengths.entries()) {
    const part = await sealer.part(number);
    assert.deepEqual([part.length, toHex(await hashPart(part))], [length, partHashes[number]]);
    opened.push(...await opener.part(number, part));
  }
  await opener.finish();
  assert.equal(toHex(await hashPart(new Uint8Array(Buffer.concat(opened)))), example.body.plaintextHash);
});

test('nothing broken in it opens', async () => {
  assert.ok(example.broken.frames.length > 20 && example.broken.entries.length > 15);
  for (const frame of example.broken.frames) await assert.rejects(openFrame(frame), isCode('tampered', 'malformed'), frame.what);
  for (const { what, session, entry, sealed } of example.broken.entries) {
    await assert.rejects(openEntry({ keys, sessionId: session, entryId: entry, sealed: hex(sealed) }), isCode('tampered', 'malformed'), what);
  }
});
