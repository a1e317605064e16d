// Every fault has a sentence of its own, with its limit and size in the units that people use.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { bannerFor } from '../gallery/banner.js';
import { causeOf } from '../gallery/causes.js';
import { Gallery } from '../gallery/model.js';
import { countsOf, stateOf, statusOf } from '../gallery/states.js';
import { hasSentence, noticeText, sentenceFor, sizeText } from '../gallery/texts.js';
import { photoNamed } from './gallery-doubles.js';

const none = countsOf([]);
const together = { ...new Gallery().sharing, stage: /** @type {const} */ ('together'), connection: /** @type {const} */ ('connected'), session: /** @type {const} */ ('joined'), isInSync: true };

test('each code of a HearthError has a sentence of its own', async () => {
  const source = await readFile(new URL('../groupactivities/errors.js', import.meta.url), 'utf8');
  const codes = [...source.slice(0, source.indexOf('HearthErrorCode')).matchAll(/'([a-z-]+)'/g)].map(([, code]) => code ?? '');
  assert.ok(codes.length > 30);
  for (const code of codes) assert.ok(hasSentence(code), code);
});

test('failures of joining, inviting and sharing do not read alike', () => {
  const codes = ['relay-unreachable', 'unknown-conversation', 'not-invited', 'conversation-full', 'invitation-incomplete', 'invitation-damaged', 'insecure-context', 'tampered', 'gap', 'storage-failed', 'relay-quota', 'proxy-limit'];
  assert.equal(new Set(codes.map((code) => sentenceFor({ code }))).size, codes.length);
});

test('limit and size are named as people name them', () => {
  const text = sentenceFor({ code: 'too-large', limit: 100_000_000, value: 101_000_000 });
  assert.match(text, /101 MB/);
  assert.match(text, /100 MB/);
  assert.match(sentenceFor({ code: 'too-large', limit: 100_000_000, value: 100_000_001 }), /101 MB|100,000,001 bytes/);
  assert.match(sentenceFor({ code: 'conversation-quota', limit: 4_294_967_296, value: 4_300_000_000 }), /4\.3 GB.*4,300,000,000 bytes|4\.3 GB/);
});

test('sizes read well', () => {
  assert.deepEqual([0, 1, 612, 1_000, 3_400_000, 100_000_000].map(sizeText), ['0 bytes', '1 byte', '612 bytes', '1 kB', '3.4 MB', '100 MB']);
});

test('an unknown code still gives a sentence, with the code to pass on', () => {
  assert.match(sentenceFor({ code: 'no-such-code' }), /Reload the page.*: no-such-code$/);
});

test('what nobody expected is told with a short cause to pass on, and without the link', () => {
  const cause = causeOf(new DOMException('It failed at https://example.org/c/a#1.secret for\n a reason', 'OperationError'));
  assert.match(sentenceFor(cause), /: OperationError: It failed at … for a reason/);
  assert.match(sentenceFor(causeOf(new TypeError('undefined is not a function'))), /: TypeError: undefined is not a function \(gallery-words\.test\.js:\d+\)$/);
  assert.ok(sentenceFor(causeOf(new Error('x'.repeat(10_000)))).length < 400);
  assert.match(sentenceFor(causeOf(null)), /: null$/);
  assert.deepEqual(causeOf({ code: 'too-large', limit: 1, value: 2, message: 'for developers' }), { code: 'too-large', limit: 1, value: 2 });
});

test('a refused file is told by its name', () => {
  assert.match(noticeText({ id: 1, kind: 'refused', name: 'a.jpg', code: 'empty' }, 'a.jpg'), /^a\.jpg: .*0 bytes/);
});

test('in sync is said only when the whole ledger is here and the connection stands', () => {
  assert.equal(statusOf(together), 'in-sync');
  assert.equal(statusOf({ ...together, isInSync: false }), 'catching-up');
  assert.equal(statusOf({ ...together, connection: 'reconnecting' }), 'reconnecting');
  assert.equal(statusOf({ ...together, session: 'ended' }), 'ended');
  assert.equal(statusOf({ ...together, session: 'none' }), 'not-sharing');
  assert.equal(statusOf({ ...together, session: 'none', isStarting: true }), 'connecting');
});

test('a photo says honestly how it stands', () => {
  assert.equal(stateOf(photoNamed('a', { isPrepared: false })), 'preparing');
  assert.equal(stateOf(photoNamed('a', { share: 'sending', progress: { bytes: 1, total: 2, phase: 'interrupted' } })), 'interrupted');
  assert.equal(stateOf(photoNamed('a', { isMine: false, load: 'waiting' })), 'waiting');
  assert.equal(stateOf(photoNamed('a', { isMine: false, load: 'lost' })), 'lost');
  assert.equal(stateOf(photoNamed('a', { failure: { code: 'tampered' } })), 'failed');
});

test('what is still moving is counted', () => {
  const photos = [photoNamed('a', { share: 'sending' }), photoNamed('b', { share: 'queued' }), photoNamed('c', { isMine: false, load: 'loading' }), photoNamed('d')];
  assert.deepEqual(countsOf(photos), { sending: 2, loading: 1, preparing: 0, private: 1, there: 0, lost: 0 });
});

test('on plain http the page says why it cannot encrypt and which command helps', () => {
  const banner = bannerFor(new Gallery().sharing, none, false);
  assert.equal(banner?.command, 'hearth serve --tls-self-signed');
  assert.match(banner?.text ?? '', /encrypt/);
});

test('whoever has left is offered to rejoin, and whoever saw the end is not', () => {
  assert.equal(bannerFor({ ...together, stage: 'over', reason: { code: 'left' } }, none, true)?.action?.does, 'rejoin');
  assert.equal(bannerFor({ ...together, stage: 'over', reason: { code: 'conversation-ended' } }, none, true)?.action, undefined);
  assert.equal(bannerFor({ ...together, session: 'broken', reason: { code: 'gap' } }, none, true)?.action?.does, 'start-over');
});

test('a server that shows people different things is named before anything else, and at once', () => {
  const divergent = { ...together, divergent: ['Ben\u202e'] };
  const banner = bannerFor(divergent, { ...none, private: 2 }, true);
  assert.equal(banner?.kind, 'divergence');
  assert.ok(banner?.isUrgent);
  assert.match(banner?.text ?? '', /does not show everyone the same: Ben\ufffd was shown/);
  assert.match(bannerFor({ ...divergent, divergent: ['Ben', 'Eva'], connection: 'reconnecting' }, none, true)?.text ?? '', /2 people were shown/);
  assert.equal(bannerFor({ ...divergent, stage: 'over', reason: { code: 'left' } }, none, true)?.kind, 'left');
});

test('photos that only this device has are pointed out among shared ones', () => {
  assert.equal(bannerFor(together, { ...none, private: 2 }, true)?.action?.does, 'intend-all');
  assert.equal(bannerFor(together, none, true), null);
});
