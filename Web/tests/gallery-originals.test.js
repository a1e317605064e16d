// Originals come as far as there is room; what is wanted comes always, and makes the one go that was longest not wanted.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Gallery } from '../gallery/model.js';
import { Originals } from '../gallery/originals.js';
import { countsOf, stateOf } from '../gallery/states.js';
import { photoNamed } from './gallery-doubles.js';
import { jpeg } from './gallery-pictures.js';

const picture = new Blob([jpeg({ width: 8, height: 8 })]);

/** @param {number} count @param {number} roomFor so many originals fit in */
async function opened(count, roomFor) {
  const gallery = new Gallery();
  const originals = new Originals(gallery, picture.size * roomFor);
  let loadCount = 0;
  const ids = /** @type {string[]} */ ([]);
  for (let number = 0; number < count; number += 1) {
    const photo = photoNamed(`${number}`, { isMine: false, original: null, load: 'waiting', sizeBytes: picture.size, attachmentId: `${number}` });
    gallery.add(photo);
    ids.push(photo.id);
  }
  for (const id of ids) {
    originals.add(id, {
      load: async () => {
        loadCount += 1;
        return picture;
      },
      progress: { bytes: 0, total: 1, phase: 'waiting' }, addEventListener: () => {}, removeEventListener: () => {},
    });
  }
  const settle = async () => {
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
  };
  await settle();
  const here = () => ids.filter((id) => gallery.photo(id)?.original).map((id) => ids.indexOf(id));
  return { gallery, originals, ids, settle, here, loads: () => loadCount };
}

test('all of them come where there is room', async () => {
  const { here, loads } = await opened(5, 10);
  assert.deepEqual(here(), [0, 1, 2, 3, 4]);
  assert.equal(loads(), 5);
});

test('what is being removed is not fetched, and comes when it stays after all', async () => {
  const gallery = new Gallery();
  const originals = new Originals(gallery);
  const photo = photoNamed('a', { isMine: false, original: null, load: 'waiting', isLeaving: true });
  let loadCount = 0;
  gallery.add(photo);
  const load = async () => {
    loadCount += 1;
    return picture;
  };
  originals.add(photo.id, { load, progress: { bytes: 0, total: 1, phase: 'waiting' }, addEventListener: () => {}, removeEventListener: () => {} });
  originals.goOn();
  assert.equal(loadCount, 0);
  gallery.update(photo.id, { isLeaving: false });
  originals.goOn();
  assert.equal(loadCount, 1);
});

test('beyond the budget they stay with the relay and say so', async () => {
  const { gallery, here, loads } = await opened(10, 4);
  assert.equal(here().length, 4);
  assert.equal(loads(), 4);
  assert.deepEqual({ ...countsOf(gallery.photos), preparing: 0 }, { sending: 0, loading: 0, preparing: 0, private: 0, there: 6, lost: 0 });
  assert.equal(stateOf(gallery.photos.find(({ original }) => original === null) ?? photoNamed('x')), 'there');
});

test('what is wanted comes, and the one goes that was longest not wanted', async () => {
  const { gallery, originals, ids, settle, here } = await opened(6, 3);
  const [kept = 0, ...others] = here();
  const wanted = ids.findIndex((id) => gallery.photo(id)?.load === 'there');
  originals.want(ids[kept] ?? '');
  originals.want(ids[wanted] ?? '');
  await settle();
  assert.equal(here().length, 3);
  assert.ok(here().includes(wanted) && here().includes(kept));
  assert.equal(others.filter((index) => here().includes(index)).length, 1);
});

test('each can be had, one after the other, however many there are', async () => {
  const { originals, ids, settle, here } = await opened(8, 2);
  for (const [index, id] of ids.entries()) {
    originals.want(id);
    await settle();
    assert.ok(here().includes(index) && here().length <= 2, String(index));
  }
});

test('when sharing ends those that stayed with the relay are lost', async () => {
  const { gallery, originals } = await opened(5, 2);
  originals.stop();
  assert.equal(countsOf(gallery.photos).lost, 3);
});
