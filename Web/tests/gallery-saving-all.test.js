// Any number of photos is saved as one archive: those that are here at once, the others when they come, and what cannot be had is named.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Gallery } from '../gallery/model.js';
import { originalsOf } from '../gallery/saving-all.js';
import { photoNamed } from './gallery-doubles.js';

/** @param {(gallery: Gallery, id: string) => void} [want] */
function situation(want = () => {}) {
  const gallery = new Gallery();
  /** @type {string[]} */
  const missed = [];
  /** @type {number[]} */
  const reached = [];
  const abort = new AbortController();
  const save = async (/** @type {string[]} */ ids) => {
    const names = [];
    const entries = originalsOf(gallery, ids, { want: (id) => want(gallery, id), missed: ({ name }) => missed.push(name), reached: (count) => reached.push(count), signal: abort.signal });
    for await (const entry of entries) names.push([entry.name, await ('blob' in entry ? entry.blob.text() : '')]);
    return names;
  };
  return { gallery, missed, reached, abort, save };
}

test('one\'s own photo is saved as the file it was, another\'s as it came', async () => {
  const { gallery, save, reached } = situation();
  gallery.add(photoNamed('mine.jpg', { id: 'm', original: new Blob(['stripped']), source: new Blob(['whole']) }));
  gallery.add(photoNamed('theirs.jpg', { id: 't', isMine: false, original: new Blob(['came']) }));
  assert.deepEqual(await save(['m', 't']), [['mine.jpg', 'whole'], ['theirs.jpg', 'came']]);
  assert.deepEqual(reached, [1, 2]);
});

test('an original that is not here is asked for when its turn comes, and waited for', async () => {
  const { gallery, save } = situation((here, id) => queueMicrotask(() => here.update(id, { original: new Blob(['late']), load: 'here' })));
  gallery.add(photoNamed('late.jpg', { id: 'l', isMine: false, original: null, load: 'waiting' }));
  assert.deepEqual(await save(['l']), [['late.jpg', 'late']]);
});

test('what fails, is lost or goes meanwhile is named and stops nothing', async () => {
  const { gallery, save, missed } = situation((here, id) => queueMicrotask(() => {
    if (id === 'fails') here.update(id, { failure: { code: 'tampered' } });
    else here.remove(id);
  }));
  for (const id of ['fails', 'goes']) gallery.add(photoNamed(`${id}.jpg`, { id, isMine: false, original: null, load: 'waiting' }));
  gallery.add(photoNamed('lost.jpg', { id: 'lost', isMine: false, original: null, load: 'lost' }));
  gallery.add(photoNamed('here.jpg', { id: 'here' }));
  assert.deepEqual((await save(['fails', 'goes', 'lost', 'here'])).map(([name]) => name), ['here.jpg']);
  assert.deepEqual(missed, ['fails.jpg', 'goes.jpg', 'lost.jpg']);
});

test('somebody stops while an original is awaited', async () => {
  const { gallery, save, abort } = situation(() => queueMicrotask(() => abort.abort()));
  gallery.add(photoNamed('late.jpg', { id: 'l', isMine: false, original: null, load: 'waiting' }));
  assert.deepEqual(await save(['l']), []);
});
