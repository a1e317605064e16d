// Photos are shown in the order and of the person that somebody wants, the same in grid and viewer.

import assert from 'node:assert/strict';
import test from 'node:test';
import { arrange, peopleIn } from '../gallery/arrangement.js';
import { readChoices } from '../gallery/choices.js';
import { photoNamed } from './gallery-doubles.js';

const photos = [
  photoNamed('late', { takenAt: '2024-05-02T10:00:00+02:00' }),
  photoNamed('early', { takenAt: '2024-05-01T10:00:00', ownerName: 'Ana', isMine: false }),
  photoNamed('burst 1', { takenAt: '2024-05-01T18:00:00' }),
  photoNamed('burst 2', { takenAt: '2024-05-01T18:00:00' }),
  photoNamed('burst 3', { takenAt: '2024-05-01T18:00:00', ownerName: 'Ben', isMine: false }),
  photoNamed('screenshot', { addedAtMilliseconds: Date.parse('2024-05-01T12:00:00') }),
];
const names = (/** @type {readonly import('../gallery/model.js').Photo[]} */ list) => list.map(({ name }) => name);

test('without a wish the photos are shown as they are', () => {
  assert.equal(arrange(photos, { order: 'added', person: null }), photos);
});

test('by time taken, a burst keeps its order and a picture without a date counts from when it was added', () => {
  assert.deepEqual(names(arrange(photos, { order: 'taken', person: null })), ['early', 'screenshot', 'burst 1', 'burst 2', 'burst 3', 'late']);
});

test('of one person only', () => {
  assert.deepEqual(peopleIn(photos).map(({ name, isMe, count }) => [name, isMe, count]), [['', true, 4], ['Ana', false, 1], ['Ben', false, 1]]);
  assert.deepEqual(names(arrange(photos, { order: 'added', person: peopleIn(photos)[1]?.key ?? '' })), ['early']);
});

test('a person who calls themselves "me" is not taken for oneself', () => {
  const mixed = [photoNamed('mine'), photoNamed('theirs', { ownerName: 'me', isMine: false })];
  assert.equal(new Set(peopleIn(mixed).map(({ key }) => key)).size, 2);
});

test('what is being removed is not shown', () => {
  assert.deepEqual(names(arrange(photos.map((photo, index) => ({ ...photo, isLeaving: index > 0 })), { order: 'added', person: null })), ['late']);
});

test('choices that were kept are read with care', () => {
  const usual = { order: 'added', keepsMetadata: false };
  for (const text of [null, '', '{', '5', 'null', '[]', '{"order":"sideways","keepsMetadata":"yes"}']) assert.deepEqual(readChoices(text), usual);
  assert.deepEqual(readChoices('{"order":"taken","keepsMetadata":true}'), { order: 'taken', keepsMetadata: true });
});
