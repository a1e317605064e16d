// What people say about photos ends the same on every screen, also for those who come later, and nothing else than what may be said is believed.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Gallery } from '../gallery/model.js';
import { Remarks } from '../gallery/remarks.js';
import { RemarkSession } from '../gallery/remark-session.js';
import { FakeMessenger, FakeSession, failure, photoNamed } from './gallery-doubles.js';

const [ana, ben, cem] = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const settle = () => new Promise((resolve) => { setImmediate(resolve); });

test('the last who writes is right', () => {
  const remarks = new Remarks();
  remarks.hearCaption({ photo: 'p', text: 'first' });
  remarks.hearCaption({ photo: 'p', text: 'second' });
  assert.equal(remarks.of('p')?.caption, 'second');
  remarks.hearCaption({ photo: 'p', text: '' });
  assert.equal(remarks.of('p')?.caption, '', 'an emptied caption stays empty, whatever the photo said when it came');
});

test('each person has one reaction to a photo, and can take it back', () => {
  const remarks = new Remarks();
  remarks.hearReaction({ photo: 'p', emoji: '👍', person: ana }, 'Ana');
  remarks.hearReaction({ photo: 'p', emoji: '😂', person: ana }, 'Ana');
  remarks.hearReaction({ photo: 'p', emoji: '😂', person: ben }, 'Ben');
  assert.deepEqual([...(remarks.of('p')?.reactions.values() ?? [])].map(({ name, emoji }) => name + emoji), ['Ana😂', 'Ben😂']);
  remarks.hearReaction({ photo: 'p', emoji: null, person: ana }, 'Ana');
  assert.equal(remarks.of('p')?.reactions.size, 1);
});

test('what may not be said is not heard', () => {
  const remarks = new Remarks();
  for (const value of [null, 7, 'text', [], {}, { photo: 'p' }, { photo: 'p', text: 5 }, { photo: 'p', text: 'x'.repeat(301) }, { photo: '', text: 'x' }, { photo: 'p'.repeat(65), text: 'x' }]) {
    assert.equal(remarks.hearCaption(value), null);
  }
  for (const value of [null, { photo: 'p', emoji: '<b>', person: ana }, { photo: 'p', emoji: '💣', person: ana }, { photo: 'p', emoji: '👍', person: 'me' }, { photo: 'p', person: ana }]) {
    assert.equal(remarks.hearReaction(value, 'Ana'), null);
  }
  for (const value of [null, 7, {}, [null], [[1, 2, 3]], [['p', 5, 'x']], [['p', 'x'.repeat(301), [['p', 'n', 'x']]]]]) remarks.learn(value);
  assert.equal(remarks.of('p')?.caption ?? null, null);
  assert.equal(remarks.of('p')?.reactions.size ?? 0, 0);
});

test('two hundred people react to a photo, and no more are heard', () => {
  const remarks = new Remarks();
  for (let number = 0; number < 300; number += 1) remarks.hearReaction({ photo: 'p', emoji: '👍', person: number.toString(16).padStart(32, '0') }, 'x');
  assert.equal(remarks.of('p')?.reactions.size, 200);
});

test('who comes later learns what was said, and what they hear themselves is newer', () => {
  const [old, fresh] = [new Remarks(), new Remarks()];
  old.hearCaption({ photo: 'p', text: 'old' });
  old.hearCaption({ photo: 'q', text: 'kept' });
  old.hearReaction({ photo: 'p', emoji: '👍', person: ana }, 'Ana');
  old.hearReaction({ photo: 'p', emoji: '👍', person: ben }, 'Ben');
  const lines = JSON.parse(JSON.stringify(old.lines(new Set(['p', 'q', 'gone']))));
  fresh.hearCaption({ photo: 'p', text: 'new' });
  fresh.hearReaction({ photo: 'p', emoji: null, person: ben }, 'Ben');
  fresh.learn(lines);
  assert.equal(fresh.of('p')?.caption, 'new');
  assert.equal(fresh.of('q')?.caption, 'kept');
  assert.deepEqual([...(fresh.of('p')?.reactions.keys() ?? [])], [ana]);
});

test('who comes back lets a snapshot correct what they knew before', () => {
  const remarks = new Remarks();
  remarks.hearCaption({ photo: 'p', text: 'before' });
  remarks.begin();
  remarks.learn([['p', 'meanwhile', []]]);
  assert.equal(remarks.of('p')?.caption, 'meanwhile');
});

/** @param {{ id: string, isAway?: boolean }[]} others */
function sessionWith(others) {
  const gallery = new Gallery();
  const session = new FakeSession('s');
  session.activeParticipants = [{ id: 'me', name: 'Me', isLocal: true, isAway: false }, ...others.map(({ id, isAway = false }) => ({ id, name: id, isLocal: false, isAway }))];
  const messenger = new FakeMessenger();
  /** @type {(() => void)[]} */
  const timers = [];
  const remarks = new Remarks();
  const talk = new RemarkSession({
    gallery, remarks, session: /** @type {any} */ (session), messenger: /** @type {any} */ (messenger), person: cem ?? '', setTimer: (run) => timers.push(run),
  });
  gallery.add(photoNamed('p.jpg', { id: 'p1', attachmentId: 'p', sessionId: 's' }));
  talk.follow();
  session.join();
  const sync = () => gallery.setSharing({ stage: 'together', session: 'joined', isInSync: true, name: 'Me' });
  const wanted = () => messenger.sent.filter(({ identifier }) => identifier === 'remarks-wanted').map(({ to }) => to.id);
  const source = (/** @type {string} */ id) => session.activeParticipants.find((each) => each.id === id);
  return { gallery, session, messenger, talk, timers, sync, wanted, source, remarks };
}

test('who comes asks one of those who are here, and the next when that one leaves or sleeps', () => {
  const { session, timers, sync, wanted } = sessionWith([{ id: 'away', isAway: true }, { id: 'ana' }, { id: 'ben' }, { id: 'cem' }]);
  assert.deepEqual(wanted(), [], 'before it is in sync nobody is asked');
  sync();
  assert.deepEqual(wanted(), ['ana']);
  session.activeParticipants = session.activeParticipants.filter(({ id }) => id !== 'ana');
  session.dispatchEvent(new Event('activeparticipantschange'));
  assert.deepEqual(wanted(), ['ana', 'ben']);
  timers.at(-1)?.();
  assert.deepEqual(wanted(), ['ana', 'ben', 'cem']);
});

test('an answer that is whole ends the asking, and one that is not leads on', async () => {
  const { messenger, gallery, sync, wanted, source } = sessionWith([{ id: 'ana' }, { id: 'ben' }]);
  sync();
  messenger.hear('remarks', { lines: [], isLast: true, isWhole: false }, source('ana'));
  await settle();
  assert.deepEqual(wanted(), ['ana', 'ben']);
  messenger.hear('remarks', { lines: [['p', 'Low tide', []]], isLast: true, isWhole: true }, source('ben'));
  await settle();
  assert.equal(gallery.photo('p1')?.caption, 'Low tide');
  gallery.setSharing({ isInSync: true });
  assert.deepEqual(wanted(), ['ana', 'ben']);
});

test('a snapshot that nobody asked for is not believed', async () => {
  const { messenger, gallery, sync, source } = sessionWith([{ id: 'ana' }, { id: 'ben' }]);
  sync();
  messenger.hear('remarks', { lines: [['p', 'Nonsense', []]], isLast: true, isWhole: true }, source('ben'));
  await settle();
  assert.equal(gallery.photo('p1')?.caption, '');
});

test('whoever was alone here knows everything, and tells it in messages that fit', async () => {
  const { messenger, sync, remarks, gallery, session } = sessionWith([]);
  for (let number = 0; number < 250; number += 1) {
    gallery.add(photoNamed('x', { id: `x${number}`, attachmentId: `x${number}` }));
    remarks.hearCaption({ photo: `x${number}`, text: '€'.repeat(300) });
  }
  sync();
  const newcomer = { id: 'new', name: 'New', isLocal: false, isAway: false };
  session.activeParticipants = [...session.activeParticipants, newcomer];
  session.dispatchEvent(new Event('activeparticipantschange'));
  messenger.hear('remarks-wanted', {}, newcomer);
  await settle();
  await settle();
  const answers = messenger.sent.filter(({ identifier }) => identifier === 'remarks');
  assert.deepEqual(answers.map(({ message }) => [message.lines.length, message.isLast, message.isWhole]), [[100, false, true], [100, false, true], [50, true, true]]);
  assert.ok(answers.every(({ message, to }) => to === newcomer && new TextEncoder().encode(JSON.stringify(message)).length < 262_144));
});

test('what one says is shown once it has its place, and not when it was refused', async () => {
  const { talk, messenger, gallery, sync } = sessionWith([]);
  sync();
  await talk.caption('p', 'Low tide');
  await talk.react('p', '🎉');
  assert.deepEqual([gallery.photo('p1')?.caption, gallery.photo('p1')?.reactions.map(({ name, emoji }) => name + emoji)], ['Low tide', ['Me🎉']]);
  messenger.refusal = failure('session-invalidated');
  await assert.rejects(talk.caption('p', 'High tide'), { code: 'session-invalidated' });
  assert.equal(gallery.photo('p1')?.caption, 'Low tide');
});

test('a remark that is heard before its photo waits for it', async () => {
  const { gallery, messenger, sync, source } = sessionWith([{ id: 'ana' }]);
  sync();
  messenger.hear('caption', { photo: 'later', text: 'Here it is' }, source('ana'));
  await settle();
  gallery.add(photoNamed('later.jpg', { id: 'l', attachmentId: 'later' }));
  assert.equal(gallery.photo('l')?.caption, 'Here it is');
});
