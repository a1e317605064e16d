// The life of a conversation as the gallery lives it, against a library that records.

import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Gallery } from '../gallery/model.js';
import { Sharing, activityIdentifier } from '../gallery/sharing.js';
import { stateOf, statusOf } from '../gallery/states.js';
import { FakeAttachment, FakeConversation, FakeJournal, FakeMessenger, FakeSession, failure, photoNamed } from './gallery-doubles.js';
import { jpeg } from './gallery-pictures.js';

beforeEach(() => {
  FakeConversation.all = [];
  FakeConversation.refusals = [];
  FakeJournal.all = [];
});

/** Lets everything that is due happen. */
async function settle() {
  for (let count = 0; count < 20; count += 1) await turn();
}

/** @param {import('../gallery/model.js').Photo[]} photos */
function start(...photos) {
  const gallery = new Gallery();
  for (const photo of photos) gallery.add(photo);
  const library = /** @type {any} */ ({ Conversation: FakeConversation, GroupSessionJournal: FakeJournal, GroupSessionMessenger: FakeMessenger });
  const sharing = new Sharing(gallery, library, { now: () => 1_000_000, pause: () => settle() });
  return { gallery, sharing };
}

/** @param {import('../gallery/model.js').Photo[]} photos */
async function shareTogether(...photos) {
  const { gallery, sharing } = start(...photos);
  await sharing.create({ relay: 'https://hearth.test', name: 'Ana' });
  await settle();
  const [conversation] = FakeConversation.all;
  const [journal] = FakeJournal.all;
  assert.ok(conversation && journal);
  journal.complete();
  await settle();
  return { gallery, sharing, conversation, journal };
}

/** @param {Gallery} gallery */
const states = (gallery) => gallery.photos.map((photo) => stateOf(photo)).join(' ');
/** @param {Gallery} gallery */
const names = (gallery) => gallery.photos.map((photo) => photo.name).join(' ');
const claim = (/** @type {string} */ name, addedAt = 5) => ({ version: 1, photo: `p-${name}`, name, type: 'image/jpeg', width: 4, height: 3, addedAt, owner: 'Ben', thumbnail: null });

test('photos added alone stay alone until somebody shares', () => {
  const { gallery } = start(photoNamed('a'), photoNamed('b'));
  assert.equal(states(gallery), 'local local');
  assert.equal(statusOf(gallery.sharing), 'alone');
  assert.equal(FakeConversation.all.length, 0);
});

test('what was chosen before or while one starts to share is meant for the others, however long it takes to be read', async () => {
  const { gallery, sharing } = start();
  const before = sharing.intention();
  assert.equal(before(), false);
  const creating = sharing.create({ relay: 'https://hearth.test', name: 'Ana' });
  const meanwhile = sharing.intention();
  await creating;
  assert.ok(before() && meanwhile());
  await settle();
  assert.ok(sharing.intention()());
  gallery.setSharing({ session: 'none', isStarting: true });
  assert.ok(sharing.intention()());
});

test('what was chosen while one was out stays private when one comes in, however long it takes to be read', async () => {
  const { sharing } = await shareTogether();
  await sharing.leave();
  const chosen = sharing.intention();
  await sharing.rejoin();
  await settle();
  assert.equal(chosen(), false);
});

test('that a server shows people different things stays said, whatever follows, until one joins anew', async () => {
  const { gallery, sharing, conversation } = await shareTogether();
  const session = conversation.sessionsMade[0];
  session.diverge('Ben');
  session.diverge('Ben', 'Eva');
  assert.deepEqual(gallery.sharing.divergent, ['Ben', 'Eva']);
  await sharing.end();
  await settle();
  assert.deepEqual(gallery.sharing.divergent, ['Ben', 'Eva']);
  await sharing.startOver();
  await settle();
  assert.deepEqual(gallery.sharing.divergent, []);
});

test('in sync is said only when everything that the session has is on the page', async () => {
  const { gallery, sharing } = start();
  await sharing.create({ relay: 'https://hearth.test', name: 'Ana' });
  await settle();
  const [journal] = FakeJournal.all;
  assert.ok(journal);
  /** @type {string[]} */
  const seen = [];
  gallery.addEventListener('sharingchange', () => seen.push(`${statusOf(gallery.sharing)} ${gallery.photos.length}`));
  journal.show([new FakeAttachment('e1', claim('a'))]);
  journal.complete();
  await settle();
  assert.deepEqual(seen, ['in-sync 1']);
  journal.isComplete = false;
  journal.dispatchEvent(new Event('completechange'));
  journal.show([new FakeAttachment('e1', claim('a')), new FakeAttachment('e2', claim('b'))]);
  journal.complete();
  await settle();
  assert.deepEqual(seen, ['in-sync 1', 'catching-up 1', 'in-sync 2']);
});

test('whoever shares is not told meanwhile that nobody does, and is told when it did not work', async () => {
  const { gallery, sharing } = start();
  const { activate } = FakeConversation.prototype;
  /** @type {(error: Error) => void} */
  let refuse = () => {};
  FakeConversation.prototype.activate = () => new Promise((_, reject) => { refuse = reject; });
  try {
    const sharedInVain = assert.rejects(sharing.create({ relay: 'https://hearth.test', name: 'Ana' }), { code: 'storage-failed' });
    await settle();
    assert.deepEqual([gallery.sharing.stage, statusOf(gallery.sharing)], ['together', 'connecting']);
    refuse(failure('storage-failed'));
    await sharedInVain;
    assert.equal(statusOf(gallery.sharing), 'not-sharing');
  } finally {
    FakeConversation.prototype.activate = activate;
  }
});

test('sharing makes a conversation, starts the activity in it, and shares the photos already there', async () => {
  const { gallery, conversation, journal } = await shareTogether(photoNamed('a'), photoNamed('b'));
  assert.equal(/** @type {any} */ (conversation.activated[0]).activityIdentifier, activityIdentifier);
  assert.deepEqual(journal.added.map(({ metadata }) => [metadata.name, metadata.owner]), [['a', 'Ana'], ['b', 'Ana']]);
  assert.equal(states(gallery), 'sending sending');
  for (const { attachment } of journal.added) attachment.finish();
  await settle();
  assert.equal(states(gallery), 'ready ready');
  assert.equal(statusOf(gallery.sharing), 'in-sync');
});

test('a conversation that cannot be made leaves everything as it was and says why', async () => {
  const { gallery, sharing } = start(photoNamed('a'));
  FakeConversation.refusals = [failure('relay-unreachable')];
  await assert.rejects(sharing.create({ relay: 'x', name: 'Ana' }), { code: 'relay-unreachable' });
  assert.equal(statusOf(gallery.sharing), 'alone');
  assert.equal(states(gallery), 'local');
});

test('in a conversation that exists, sharing starts the activity directly', async () => {
  const { gallery, sharing, conversation } = await shareTogether(photoNamed('a'));
  await sharing.end();
  await settle();
  assert.equal(statusOf(gallery.sharing), 'ended');
  await sharing.start();
  await settle();
  assert.equal(FakeConversation.all.length, 1);
  assert.equal(conversation.activated.length, 2);
  FakeJournal.all[1]?.complete();
  await settle();
  assert.deepEqual(FakeJournal.all[1]?.added.map(({ metadata }) => metadata.name), ['a']);
});

test('an own photo is not doubled when the list has it before its announcement has come back', async () => {
  const { gallery, journal } = await shareTogether(photoNamed('a'));
  journal.show(journal.added.map(({ attachment }) => attachment));
  await settle();
  assert.equal(names(gallery), 'a');
});

test('what others add is there at once and its original follows', async () => {
  const { gallery, journal } = await shareTogether();
  const attachment = new FakeAttachment('e1', claim('b'));
  journal.show([attachment]);
  await settle();
  assert.equal(states(gallery), 'loading');
  attachment.arrive(new Blob([jpeg({ width: 640, height: 480 })]));
  await settle();
  assert.equal(states(gallery), 'ready');
  assert.deepEqual([gallery.photos[0]?.width, gallery.photos[0]?.original?.type], [640, 'image/jpeg']);
});

test('at most three originals come at a time, the newest first, and one that is looked at comes at once', async () => {
  const { gallery, sharing, journal } = await shareTogether();
  const attachments = [1, 2, 3, 4, 5].map((at) => new FakeAttachment(`e${at}`, claim(`b${at}`, at)));
  journal.show(attachments);
  await settle();
  assert.deepEqual(attachments.map(({ loadCount }) => loadCount), [1, 1, 1, 0, 0]);
  attachments[0]?.arrive(new Blob([jpeg({})]));
  await settle();
  assert.deepEqual(attachments.map(({ loadCount }) => loadCount), [1, 1, 1, 0, 1]);
  sharing.want(gallery.photos[3]?.id ?? '');
  await settle();
  assert.deepEqual(attachments.map(({ loadCount }) => loadCount), [1, 1, 1, 1, 1]);
});

test('an original that is no photo is never shown, whatever was said of it', async () => {
  const { gallery, journal } = await shareTogether();
  const attachment = new FakeAttachment('e1', claim('b'));
  journal.show([attachment]);
  await settle();
  attachment.arrive(new Blob(['<script>alert(1)</script>']));
  await settle();
  assert.deepEqual([states(gallery), gallery.photos[0]?.failure?.code, gallery.photos[0]?.original], ['failed', 'not-a-picture', null]);
});

test('a photo that was tampered with is marked, and the others come', async () => {
  const { gallery, journal } = await shareTogether();
  const [bad, good] = [new FakeAttachment('e1', claim('b', 1)), new FakeAttachment('e2', claim('c', 2))];
  journal.show([bad, good]);
  await settle();
  bad.refuse(failure('tampered'));
  good.arrive(new Blob([jpeg({})]));
  await settle();
  assert.equal(states(gallery), 'failed ready');
});

test('a photo that somebody removes is gone, and one that is only not listed yet is not', async () => {
  const { gallery, journal } = await shareTogether();
  const attachments = ['b', 'c'].map((name, at) => new FakeAttachment(`e${at}`, claim(name, at + 1)));
  journal.show(attachments);
  await settle();
  journal.isComplete = false;
  journal.show([]);
  await settle();
  assert.equal(names(gallery), 'b c');
  journal.show(attachments.slice(1));
  journal.complete();
  await settle();
  assert.equal(names(gallery), 'c');
});

test('removing goes through the journal first', async () => {
  const { gallery, sharing, journal } = await shareTogether();
  journal.show([new FakeAttachment('e1', claim('b'))]);
  await settle();
  await sharing.remove(gallery.photos[0]?.id ?? '');
  assert.deepEqual([journal.removed, names(gallery)], [['e1'], '']);
});

test('a photo that does not fit is told with limit and size, and tried again on demand', async () => {
  const { gallery, sharing, journal } = await shareTogether();
  journal.refusal = Object.assign(failure('conversation-quota'), { limit: 10, value: 12 });
  gallery.add(photoNamed('a', { isIntended: true }));
  sharing.photoPrepared();
  await settle();
  const [photo] = gallery.photos;
  assert.deepEqual([states(gallery), photo?.failure], ['failed', { code: 'conversation-quota', limit: 10, value: 12 }]);
  assert.equal(gallery.notices.at(-1)?.kind, 'not-shared');
  journal.refusal = null;
  sharing.tryAgain(photo?.id ?? '');
  await settle();
  assert.equal(states(gallery), 'sending');
});

test('after leaving, photos stay, what had not come is lost, and what is added then stays private on coming back', async () => {
  const { gallery, sharing, conversation, journal } = await shareTogether(photoNamed('a'));
  journal.added[0]?.attachment.finish();
  journal.show([...journal.added.map(({ attachment }) => attachment), new FakeAttachment('e1', claim('b', 900))]);
  await settle();
  await sharing.leave();
  assert.equal(conversation.hasLeft, true);
  assert.deepEqual([statusOf(gallery.sharing), states(gallery)], ['left', 'ready lost']);
  gallery.add(photoNamed('private', { addedAtMilliseconds: 901 }));
  await sharing.rejoin();
  FakeConversation.all[1]?.announced.push(new FakeSession('session-1'));
  await settle();
  FakeJournal.all[1]?.show([Object.assign(new FakeAttachment('entry-0-0', claim('a')), { isUploaded: true }), new FakeAttachment('e1', claim('b', 900))]);
  FakeJournal.all[1]?.complete();
  await settle();
  assert.deepEqual([names(gallery), states(gallery), FakeJournal.all[1]?.added.length], ['a b private', 'ready loading local', 0]);
  sharing.intendAll();
  await settle();
  assert.deepEqual(FakeJournal.all[1]?.added.map(({ metadata }) => metadata.name), ['private']);
});

test('whoever was away too long comes back by itself, with its photos, none of them twice', async () => {
  const { gallery, conversation, journal } = await shareTogether(photoNamed('done'), photoNamed('half'));
  journal.added[0]?.attachment.finish();
  await settle();
  FakeConversation.refusals = [failure('relay-unreachable'), failure('relay-unreachable')];
  conversation.close('cannot-resume');
  assert.equal(statusOf(gallery.sharing), 'reconnecting');
  await settle();
  await settle();
  await settle();
  const [, again] = FakeConversation.all;
  assert.ok(again, 'a new participant');
  again.announced.push(new FakeSession('session-1'));
  await settle();
  const [, next] = FakeJournal.all;
  next?.show([Object.assign(new FakeAttachment('entry-0-0', claim('done')), { isUploaded: true })]);
  next?.complete();
  await settle();
  assert.equal(names(gallery), 'done half');
  assert.deepEqual(next?.added.map(({ metadata }) => metadata.name), ['half']);
});

test('what was removed while one was away too long is not shared again', async () => {
  const { gallery, conversation, journal } = await shareTogether(photoNamed('a'));
  journal.added[0]?.attachment.finish();
  await settle();
  conversation.close('cannot-resume');
  await settle();
  FakeConversation.all[1]?.announced.push(new FakeSession('session-1'));
  await settle();
  FakeJournal.all[1]?.complete();
  await settle();
  assert.deepEqual([names(gallery), FakeJournal.all[1]?.added.length], ['', 0]);
});

test('two people who start at once end up in the same session', async () => {
  const { gallery, conversation } = await shareTogether(photoNamed('a'));
  const second = new FakeSession('session-9');
  conversation.announced.push(second);
  await settle();
  assert.equal(second.state, 'waiting');
  assert.equal(FakeJournal.all.length, 1);
  assert.equal(statusOf(gallery.sharing), 'in-sync');
});

test('a session with a hole in its log says so and does not call itself in sync', async () => {
  const { gallery, conversation } = await shareTogether();
  conversation.sessionsMade[0]?.invalidate('gap');
  await settle();
  assert.deepEqual([statusOf(gallery.sharing), gallery.sharing.reason?.code], ['broken', 'gap']);
});

test('comings and goings are told once one is in sync, not the people who were there', async () => {
  const { gallery, conversation } = await shareTogether();
  const [me] = conversation.participants;
  assert.ok(me);
  conversation.become([me, { id: 'b', name: 'Ben', isLocal: false, isAway: false }]);
  conversation.become([me, { id: 'b', name: 'Ben', isLocal: false, isAway: true }]);
  conversation.become([me]);
  assert.deepEqual(gallery.notices.map(({ kind, name }) => `${kind} ${name}`), ['came Ben', 'went Ben']);
});
