// The worked example that other clients are checked against is what this library makes and reads.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { openEntry, readActivity, readIntroduction } from '../groupactivities/entry-sealing.js';
import { Invitation } from '../groupactivities/invitation.js';
import { EpochKeys } from '../groupactivities/keys.js';
import { decodeManifest } from '../groupactivities/manifest.js';
import { RecordOpener } from '../groupactivities/record-sealing.js';
import { hex, toHex } from './support/bytes.js';
import { isCode } from './support/claims.js';
import { workedExample } from './support/worked-example.js';

const example = JSON.parse(readFileSync(new URL('../../Vectors/hearth/worked-example.json', import.meta.url), 'utf8'));
const invitation = Invitation.parse(example.invitation.link);
const keys = await EpochKeys.from(invitation);
const [ana] = example.participants;

test('the worked example is made again, byte for byte', async () => {
  assert.deepEqual(JSON.parse(JSON.stringify(await workedExample())), example);
});

test('the invitation gives the relay token, the code and the base key of the schedule', async () => {
  assert.equal(toHex(invitation.secret), example.invitation.secret);
  assert.equal(toHex(keys.relayToken), example.keySchedule.relayToken);
  assert.equal(keys.code, example.keySchedule.code);
  assert.match(keys.code, /^\d{5} \d{5} \d{5} \d{5}$/);
  assert.equal(toHex(await keys.baseKey(example.session)), example.keySchedule.baseKey);
});

test('no key that opens anything can be read out', async () => {
  assert.equal(keys.entrySecret.extractable, false);
  await assert.rejects(crypto.subtle.exportKey('raw', keys.entrySecret));
});

/** @param {any} frame */
async function openFrame({ class: recordClass, sender, recipients, sealed }) {
  const opener = await RecordOpener.create({ keys, sessionId: example.session, class: recordClass, senderId: sender, publicKey: hex(ana.publicKey) });
  return opener.open({ sealed: hex(sealed), recipients });
}

for (const frame of example.frames) {
  test(`it opens: ${frame.what}`, async () => {
    const { stretch: _, ...opened } = await openFrame(frame);
    assert.deepEqual(opened, { counter: frame.counter, kind: frame.kind, payload: hex(frame.payload) });
  });
}

test('its entries open and mean what they say', async () => {
  for (const { session, entry, maker, kind, body, means, sealed } of example.entries) {
    const opened = await openEntry({ keys, sessionId: session, entryId: entry, sealed: hex(sealed) });
    assert.deepEqual([opened.makerId, opened.kind, toHex(opened.body)], [maker, kind, body]);
    if (kind === 1) assert.deepEqual({ name: readIntroduction(opened.body) }, means);
    if (kind === 2) assert.deepEqual(readActivity(opened.body), means);
    if (kind === 3) {
      const { plainLength, metadata, partHashes } = decodeManifest(opened.body);
      assert.deepEqual({ plainLength, metadata, partHashes: partHashes.map(toHex) }, means);
    }
  }
});

test('nothing broken in it opens', async () => {
  assert.ok(example.broken.frames.length > 20 && example.broken.entries.length > 15);
  for (const frame of example.broken.frames) await assert.rejects(openFrame(frame), isCode('tampered', 'malformed'), frame.what);
  for (const { what, session, entry, sealed } of example.broken.entries) {
    await assert.rejects(openEntry({ keys, sessionId: session, entryId: entry, sealed: hex(sealed) }), isCode('tampered'), what);
  }
});
