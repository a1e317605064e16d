// A removal can be taken back for a few seconds, and until then nobody else hears of it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Gallery } from '../gallery/model.js';
import { Removals } from '../gallery/removals.js';
import { Sharing } from '../gallery/sharing.js';
import { FakeConversation, FakeJournal, FakeMessenger, failure, photoNamed } from './gallery-doubles.js';

function situation() {
  const gallery = new Gallery();
  for (const id of ['one', 'two', 'three']) gallery.add(photoNamed(`${id}.jpg`, { id }));
  /** @type {string[]} */
  const removed = [];
  /** @type {string[]} */
  const told = [];
  /** @type {(() => void) | null} */
  let timer = null;
  /** @type {string[]} */
  let kept = [];
  let refusal = '';
  const removals = new Removals(gallery, {
    remove: async (id) => {
      if (refusal) throw failure(refusal);
      removed.push(id);
      gallery.remove(id);
    },
    failed: (_, name) => told.push(name),
    keep: (names) => { kept = names; },
    setTimer: (run) => { timer = run; },
    clearTimer: () => { timer = null; },
  });
  return { gallery, removals, removed, told, kept: () => kept, over: () => timer?.(), isRunning: () => timer !== null, refuse: (/** @type {string} */ code) => { refusal = code; } };
}

const shown = (/** @type {Gallery} */ gallery) => gallery.photos.filter(({ isLeaving }) => !isLeaving).map(({ id }) => id);

test('a removed photo is not shown, and goes when the time is over', () => {
  const { gallery, removals, removed, over } = situation();
  removals.ask(['one']);
  assert.deepEqual([shown(gallery), removed], [['two', 'three'], []]);
  over();
  assert.deepEqual([shown(gallery), removed], [['two', 'three'], ['one']]);
  assert.deepEqual(gallery.notices, []);
});

test('a removal that is taken back removes nothing', () => {
  const { gallery, removals, removed, isRunning } = situation();
  removals.ask(['one', 'three']);
  removals.undo();
  assert.deepEqual([shown(gallery), removed, isRunning(), gallery.notices], [['one', 'two', 'three'], [], false, []]);
});

test('one message tells of all that wait, and one undo brings all back', () => {
  const { gallery, removals } = situation();
  removals.ask(['one']);
  removals.ask(['two', 'three', 'two', 'unknown']);
  assert.deepEqual(gallery.notices.map(({ kind, count }) => [kind, count]), [['removing', 3]]);
  removals.undo();
  assert.deepEqual(shown(gallery), ['one', 'two', 'three']);
});

test('while somebody reads the offer it stays', () => {
  const { removals, isRunning } = situation();
  removals.ask(['one']);
  removals.hold();
  assert.equal(isRunning(), false);
  removals.goOn();
  assert.equal(isRunning(), true);
});

test('a removal that fails brings the photo back and says so', async () => {
  const { gallery, removals, told, refuse } = situation();
  refuse('not-permitted');
  removals.ask(['one']);
  await removals.finish();
  assert.deepEqual([shown(gallery), told], [['one', 'two', 'three'], ['one.jpg']]);
});

test('somebody else was quicker: nothing is left to do', async () => {
  const { gallery, removals, removed, told } = situation();
  removals.ask(['one']);
  gallery.remove('one');
  await removals.finish();
  assert.deepEqual([removed, told], [[], []]);
});

/** Lets what was begun go on. */
const turn = () => new Promise((resolve) => { setImmediate(resolve); });

test('what is asked for is kept until it is done, by its own name and the one that the others know', async () => {
  const { gallery, removals, kept } = situation();
  removals.ask(['one', 'two']);
  assert.deepEqual(kept(), ['one', 'two']);
  gallery.update('two', { attachmentId: 'e2' });
  removals.keep();
  assert.deepEqual(kept(), ['one', 'two', 'e2']);
  removals.undo();
  assert.deepEqual(kept(), []);
  removals.ask(['one']);
  const done = removals.finish();
  assert.deepEqual(kept(), ['one']);
  await done;
  assert.deepEqual(kept(), []);
});

test('after a reload what was asked for goes as soon as it comes back, under whichever name, and nothing else does', async () => {
  const { gallery, removals, removed, kept } = situation();
  for (const { id } of gallery.photos) gallery.remove(id);
  removals.resume(['one', 'e2', 'three']);
  gallery.add(photoNamed('one.jpg', { id: 'one' }));
  gallery.add(photoNamed('two.jpg', { id: 'a-e2', attachmentId: 'e2' }));
  gallery.add(photoNamed('three.jpg', { id: 'a-e3', attachmentId: 'e3', sortKey: 'three' }));
  gallery.add(photoNamed('four.jpg', { id: 'a-e4', attachmentId: 'e4' }));
  assert.deepEqual(shown(gallery), ['a-e4']);
  await turn();
  assert.deepEqual([removed, gallery.photos.map(({ id }) => id)], [['one', 'a-e2', 'a-e3'], ['a-e4']]);
  assert.deepEqual(kept(), ['one', 'e2', 'three'], 'one that comes a second time is still meant');
  removals.settle();
  assert.deepEqual(kept(), []);
  gallery.add(photoNamed('one.jpg', { id: 'one' }));
  assert.deepEqual(shown(gallery).toSorted(), ['a-e4', 'one'], 'once everything has come, nothing is meant any more');
});

test('what cannot be removed after a reload is shown again, told, and not tried for ever', async () => {
  const { gallery, removals, told, refuse } = situation();
  refuse('not-permitted');
  removals.resume(['one']);
  await turn();
  assert.deepEqual([shown(gallery), told], [['one', 'two', 'three'], ['one.jpg']]);
});

test('what is being removed when sharing begins goes to nobody, and what is taken back can still be shared', async () => {
  const gallery = new Gallery();
  for (const id of ['stays', 'goes']) gallery.add(photoNamed(`${id}.jpg`, { id }));
  const library = /** @type {any} */ ({ Conversation: FakeConversation, GroupSessionJournal: FakeJournal, GroupSessionMessenger: FakeMessenger });
  const sharing = new Sharing(gallery, library);
  const settle = async () => { for (let count = 0; count < 20; count += 1) await new Promise((resolve) => { setImmediate(resolve); }); };
  gallery.update('goes', { isLeaving: true });
  await sharing.create({ relay: 'https://hearth.test', name: 'Ana' });
  await settle();
  const journal = FakeJournal.all.at(-1);
  journal?.complete();
  await settle();
  const shared = () => journal?.added.map(({ metadata }) => metadata.name);
  assert.deepEqual(shared(), ['stays.jpg']);
  gallery.update('goes', { isLeaving: false });
  sharing.intendAll();
  await settle();
  assert.deepEqual(shared(), ['stays.jpg', 'goes.jpg']);
});
