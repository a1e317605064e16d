// What others say of their photos is believed only as far as it is well formed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bytesToBase64 } from '../gallery/photos/base64.js';
import { metadataOf, openThumbnail, readMetadata } from '../gallery/photos/metadata.js';
import { jpeg, png, webp, bytes } from './gallery-pictures.js';
import { photoNamed } from './gallery-doubles.js';

const now = 1_800_000_000_000;

test('what one page writes another reads', async () => {
  const photo = photoNamed('beach.jpg', { thumbnail: new Blob([jpeg({})]), takenAt: '2026-07-11T18:05:09', addedAtMilliseconds: now - 5, ownerName: 'Ana', isAnimated: true, digest: 'ab'.repeat(32), caption: 'Low tide' });
  const claim = readMetadata(JSON.parse(JSON.stringify(await metadataOf(photo))), now);
  assert.deepEqual(
    { ...claim, thumbnail: claim.thumbnail !== null },
    {
      photo: photo.id, name: 'beach.jpg', format: 'jpeg', width: 400, height: 300, takenAt: '2026-07-11T18:05:09', addedAtMilliseconds: now - 5, ownerName: 'Ana', isAnimated: true, thumbnail: true,
      digest: 'ab'.repeat(32), caption: 'Low tide',
    },
  );
  assert.equal((await openThumbnail(claim.thumbnail))?.type, 'image/jpeg');
});

test('the largest metadata stays below the limit of 64 KiB', async () => {
  const photo = photoNamed('\u0001'.repeat(400), { thumbnail: new Blob([new Uint8Array(40_000)]), ownerName: '\u0001'.repeat(64), caption: '\u0001'.repeat(300) });
  assert.ok(new TextEncoder().encode(JSON.stringify(await metadataOf(photo))).length < 65_536);
});

test('metadata of any shape is read without a fault', () => {
  const shapes = [null, undefined, 7, 'text', [], [1], {}, { name: {}, width: 'wide', height: -1, takenAt: 5, addedAt: NaN, thumbnail: [], type: 3, owner: null }];
  for (const shape of shapes) {
    const claim = readMetadata(shape, now);
    assert.deepEqual([claim.name, claim.width, claim.height, claim.takenAt, claim.addedAtMilliseconds, claim.thumbnail, claim.format, claim.ownerName], ['', 0, 0, null, now, null, null, '']);
  }
});

test('wild numbers, dates, types and lengths give way', () => {
  const claim = readMetadata({
    name: 'x'.repeat(10_000), width: 1e300, height: 4, takenAt: '2026-99-99T00:00:00', addedAt: now + 86_400_000, type: 'text/html', thumbnail: 'A'.repeat(60_000),
  }, now);
  assert.deepEqual([claim.name, claim.width, claim.height, claim.takenAt, claim.addedAtMilliseconds, claim.format, claim.thumbnail], ['', 0, 0, null, now, null, null]);
});

test('a thumbnail is shown only if its bytes are a picture of a modest size', async () => {
  const open = (/** @type {Uint8Array} */ content) => openThumbnail(bytesToBase64(content));
  assert.equal((await open(webp({})))?.type, 'image/webp');
  assert.equal(await open(bytes('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')), null);
  assert.equal(await open(bytes('<!doctype html><script>alert(1)</script>')), null);
  assert.equal(await open(png({ width: 50_000, height: 50_000 })), null);
  assert.equal(await open(webp({ isAnimated: true })), null);
  assert.equal(await open(jpeg({}).slice(0, 9)), null);
  assert.equal(await openThumbnail('not base64 %%'), null);
  assert.equal(await openThumbnail(null), null);
});
