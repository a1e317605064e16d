// Who else may come in, as the gallery keeps and tells it: with a library that records what it is asked.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bannerFor } from '../gallery/banner.js';
import { Entrance, endOf, hasEnded } from '../gallery/entrance.js';
import { Gallery } from '../gallery/model.js';
import { countsOf, statusOf } from '../gallery/states.js';
import { FakeConversation } from './gallery-doubles.js';

function entered() {
  const gallery = new Gallery();
  /** @type {(string | null)[]} */
  const kept = [];
  const entrance = new Entrance(gallery, (pass) => kept.push(pass));
  const conversation = new FakeConversation('Ana');
  entrance.follow(/** @type {any} */ (conversation));
  const knocking = () => gallery.notices.filter(({ kind }) => kind === 'knocking').map(({ name, knock }) => [name, knock]);
  return { gallery, entrance, conversation, kept, knocking };
}

test('an end is an hour, the coming midnight, seven days or none from now', () => {
  const now = new Date(2026, 11, 31, 22, 30);
  assert.deepEqual(endOf('hour', now), new Date(2026, 11, 31, 23, 30));
  assert.deepEqual(endOf('today', now), new Date(2027, 0, 1));
  assert.deepEqual(endOf('week', now), new Date(2027, 0, 7, 22, 30));
  assert.equal(endOf('never', now), null);
});

test('an end is past from its very moment on', () => {
  const door = { mode: /** @type {const} */ ('open'), closesAt: new Date(5_000), isConfirmed: true };
  assert.deepEqual([4_999, 5_000].map((at) => hasEnded(door, new Date(at))), [false, true]);
  assert.equal(hasEnded({ ...door, closesAt: null }, new Date(5_000)), false);
});

test('how the door stands is told, and the pass is kept for a reload', () => {
  const { gallery, entrance, conversation, kept } = entered();
  conversation.shut({ mode: 'locked' }, 'pass-1');
  assert.deepEqual(gallery.sharing.door, { mode: 'locked', closesAt: null, isConfirmed: true });
  assert.equal(kept.at(-1), 'pass-1');
  assert.equal(entrance.passFor(conversation.invitation.link), 'pass-1');
  assert.equal(entrance.passFor('https://hearth.test/c/other#1.z'), undefined, 'of another conversation it is none');
});

test('each knock is one message, which goes when the knock is over or the conversation is', () => {
  const { entrance, conversation, knocking } = entered();
  conversation.knock({ id: 'a', name: 'Eva' });
  conversation.knock({ id: 'a', name: 'Eva' }, { id: 'b', name: 'Eva' });
  assert.deepEqual(knocking(), [['Eva', 'a'], ['Eva', 'b']]);
  conversation.knock({ id: 'b', name: 'Eva' });
  assert.deepEqual(knocking(), [['Eva', 'b']]);
  entrance.close();
  assert.deepEqual(knocking(), []);
});

test('who knocks is let in or declined by the name of the knock', () => {
  const { entrance, conversation } = entered();
  entrance.answer('a', true);
  entrance.answer('b', false);
  entrance.answer(undefined, true);
  assert.deepEqual(conversation.said, [['admit', 'a'], ['decline', 'b']]);
});

test('who may come in and until when are chosen each for itself, and an end that is past goes with another choice', async () => {
  const { entrance, conversation } = entered();
  const closesAt = new Date(Date.now() + 60_000);
  conversation.shut({ mode: 'knock', closesAt }, 'p');
  await entrance.setMode('locked');
  await entrance.setEnd('never');
  conversation.shut({ closesAt: new Date(0) }, 'p');
  await entrance.setMode('open');
  assert.deepEqual(conversation.said, [['door', { mode: 'locked', closesAt }], ['door', { mode: 'knock', closesAt: null }], ['door', { mode: 'open', closesAt: null }]]);
});

test('what an earlier conversation says is passed over', () => {
  const { gallery, entrance, conversation, knocking } = entered();
  entrance.follow(/** @type {any} */ (new FakeConversation('Ana')));
  conversation.shut({ mode: 'locked' }, 'old');
  conversation.knock({ id: 'a', name: 'Eva' });
  assert.deepEqual([gallery.sharing.door.mode, knocking()], ['open', []]);
});

test('who waits to be let in is told so, and who was turned away may try again', () => {
  const { sharing } = new Gallery();
  assert.equal(statusOf({ ...sharing, stage: 'connecting', connection: 'waiting' }), 'waiting');
  assert.equal(statusOf({ ...sharing, stage: 'together', connection: 'waiting', session: 'joined' }), 'waiting');
  for (const code of ['locked', 'invitation-ended', 'declined', 'not-answered', 'too-many-waiting']) {
    assert.equal(bannerFor({ ...sharing, stage: 'over', reason: { code } }, countsOf([]), true)?.action?.does, 'rejoin', code);
  }
});
