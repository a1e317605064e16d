// A person is told why photos wait, once, and only where something can be done about it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Gallery } from '../gallery/model.js';
import { Stalls } from '../gallery/stalls.js';
import { photoStateText } from '../gallery/texts.js';
import { photoNamed } from './gallery-doubles.js';

/** @param {string} code */
const interrupted = (code) => ({ bytes: 10, total: 100, phase: 'interrupted', error: { code } });

/** @param {string} name @param {string} code */
function stalledPhoto(name, code) {
  return { ...photoNamed(name), isMine: true, isPrepared: true, failure: null, share: /** @type {const} */ ('sending'), progress: interrupted(code) };
}

test('a full disk that holds up many photos is told once', () => {
  const gallery = new Gallery();
  const stalls = new Stalls(gallery);
  gallery.add(stalledPhoto('a.jpg', 'storage-failed'));
  gallery.add(stalledPhoto('b.jpg', 'storage-failed'));
  stalls.look();
  stalls.look();
  assert.deepEqual(gallery.notices.map(({ kind, code }) => [kind, code]), [['stalled', 'storage-failed']]);
});

test('it is told again when it comes back after everything had moved', () => {
  const gallery = new Gallery();
  const stalls = new Stalls(gallery);
  const photo = stalledPhoto('a.jpg', 'not-from-relay');
  gallery.add(photo);
  stalls.look();
  gallery.update(photo.id, { progress: null, share: 'shared' });
  stalls.look();
  gallery.update(photo.id, { progress: interrupted('not-from-relay'), share: 'sending' });
  stalls.look();
  assert.equal(gallery.notices.length, 2);
});

test('a lost connection is told by the status line alone', () => {
  const gallery = new Gallery();
  gallery.add(stalledPhoto('a.jpg', 'relay-unreachable'));
  new Stalls(gallery).look();
  assert.deepEqual(gallery.notices, []);
});

test('a tile that waits for a disk says so', () => {
  const photo = stalledPhoto('a.jpg', 'storage-failed');
  assert.match(photoStateText(photo, 'interrupted'), /interrupted 10 %, goes on by itself\. .*disk may be full/);
});
