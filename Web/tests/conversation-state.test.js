// The rules of a participant's side, one by one, as a value: no relay, no sealing, no time but the one told.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ConversationState } from '../groupactivities/conversation-state.js';
import { entryKinds } from '../groupactivities/entry-sealing.js';
import { OWN_SESSION, randomId } from '../groupactivities/identifiers.js';
import { kidOf } from '../groupactivities/record-sealing.js';

const [ana, ben, eva, session] = [randomId(), randomId(), randomId(), randomId()];
const key = (/** @type {string} */ id) => new TextEncoder().encode(id);

/** A state that is told what happened and remembers what it wants done. */
class Story {
  now = 1_000;
  /** @type {any[]} */
  effects = [];
  state = new ConversationState({ localId: ana, participantSecret: randomId(), relayToken: new Uint8Array(32), sealedIntroduction: key('intro'), introductionToken: 1, mayCreate: false });

  /** @param {any[]} effects */
  note(effects) {
    this.effects.push(...effects);
    return this;
  }

  /** @param {any} frame @param {any} [opened] */
  take(frame, opened = null) {
    this.state.mustOpen(frame);
    return this.note(this.state.take(frame, opened, this.now));
  }

  connect() {
    if (this.state.link.phase === 'idle') this.note(this.state.start(this.now));
    if (this.state.link.phase === 'waiting') this.note(this.state.retryNow(this.now));
    return this.note(this.state.opened(this.now));
  }

  /** @param {{ resumed?: boolean, incarnation?: bigint }} [options] */
  welcome({ resumed = false, incarnation = 5n } = {}) {
    return this.take({ type: 'welcome', version: 1, resumed, created: false, incarnation });
  }

  /** @param {string} id @param {number} version @param {number} [sequence] */
  introduce(id, version, sequence = 0) {
    return this.take({ type: 'entry', session: OWN_SESSION, sequence, version, putter: id, entry: id, isPresenceBound: true, isBodyComplete: false, bodyLength: 0, sealed: id === ana ? key('intro') : key(id) },
      { makerId: id, publicKey: key(id), kind: entryKinds.introduction, value: `name of ${id}` });
  }

  /** In the conversation with Ben, and in the session with him. */
  static joined() {
    const story = new Story().connect().welcome();
    story.take({ type: 'position', session: OWN_SESSION, sequence: 2, participants: [{ participant: ben, isConnected: true }, { participant: ana, isConnected: true }] });
    story.introduce(ben, 1).introduce(ana, 2, 3);
    story.take({ type: 'complete', session: OWN_SESSION, sequence: 3 });
    story.note(story.state.enter(session));
    story.take({ type: 'position', session, sequence: 10, participants: [{ participant: ben, isConnected: true }, { participant: ana, isConnected: true }] });
    story.take({ type: 'complete', session, sequence: 10 });
    story.effects = [];
    return story;
  }

  /** @param {number} sequence @param {number} counter @param {string} [sender] @param {string[]} [recipients] */
  ordered(sequence, counter, sender = ben, recipients = []) {
    return this.take({ type: 'ordered', session, sequence, sender, counter, recipients, sealed: key('x') }, sender === ana ? null : { senderId: sender, counter, kind: 1, payload: key(`${counter}`) });
  }

  /** @param {string} id @param {number} version @param {{ sequence?: number, maker?: string, hashes?: number, sealed?: string, putter?: string }} [options] */
  attachment(id, version, { sequence = 0, maker = ben, hashes = 0, sealed = id, putter = maker } = {}) {
    return this.take({ type: 'entry', session, sequence, version, putter, entry: id, isPresenceBound: false, isBodyComplete: hashes > 0, bodyLength: 64, sealed: key(sealed) },
      { makerId: maker, publicKey: key(maker), kind: entryKinds.attachment, value: { ikm: key('ikm'), salt: key('salt'), plainLength: 10, partHashes: Array(hashes).fill(key('h')), metadata: version } });
  }

  /** @param {string} type */
  of(type) {
    return this.effects.filter((effect) => effect.type === type);
  }

  get sent() {
    return this.of('send').map(({ frame }) => frame);
  }

  get messages() {
    return this.of('message').map(({ payload }) => Number(new TextDecoder().decode(payload)));
  }

  get ledger() {
    return /** @type {any} */ (this.state.session(session)).ledger;
  }

  get overReasons() {
    return this.of('over').map(({ reason }) => reason);
  }
}

test('the first hello names no session; after a loss it names each with the last place taken in', () => {
  const story = new Story().connect();
  assert.deepEqual([story.sent[0].incarnation, story.sent[0].sessions], [0n, []]);
  const joined = Story.joined().ordered(11, 0);
  joined.note(joined.state.lost(1006, joined.now, 0)).connect();
  const [hello] = joined.sent;
  assert.equal(hello.incarnation, 5n);
  assert.deepEqual(hello.sessions, [{ session: OWN_SESSION, sequence: 3 }, { session, sequence: 11 }]);
});

test('who was cut off before a restarted relay said where it stands names the incarnation before, and its sessions, so that it is put into them again', () => {
  const story = Story.joined().ordered(11, 0);
  for (const [attempt, incarnation] of [[1, 6n], [2, 6n], [3, 7n]]) {
    story.effects = [];
    story.note(story.state.lost(1006, story.now, 0)).connect();
    const [hello] = story.sent;
    assert.equal(hello.incarnation, 5n);
    assert.deepEqual(hello.sessions.map((/** @type {any} */ place) => place.session), attempt === 1 ? [OWN_SESSION, session] : [session]);
    story.welcome({ incarnation: /** @type {bigint} */ (incarnation) });
    assert.ok(story.sent.every(({ type }) => type !== 'enter'));
  }
  story.take({ type: 'position', session: OWN_SESSION, sequence: 9, participants: [] });
  story.take({ type: 'position', session, sequence: 0, participants: [] });
  assert.deepEqual(story.ordered(1, 1).messages, [1]);
});

test('places that were taken in are dropped when they come again, and a missing one ends the session', () => {
  const story = Story.joined().ordered(11, 0).ordered(11, 0).ordered(12, 1);
  assert.deepEqual(story.messages, [0, 1]);
  story.ordered(14, 2);
  assert.deepEqual([story.overReasons, story.messages], [['gap'], [0, 1]]);
  assert.deepEqual(story.sent.map(({ type }) => type), ['exit']);
});

test('counters: the first of who was there is taken, a repeat is dropped, a higher one ends the session', () => {
  const story = Story.joined().ordered(11, 7).ordered(12, 8).ordered(13, 8).ordered(14, 6).ordered(15, 9);
  assert.deepEqual(story.messages, [7, 8, 9]);
  story.ordered(16, 11);
  assert.deepEqual(story.overReasons, ['gap']);
});

test('a sender introduced after we had entered must begin with 0', () => {
  const late = Story.joined().introduce(eva, 9, 4);
  late.take({ type: 'entered', session, sequence: 11, participant: eva });
  late.ordered(12, 0, eva);
  assert.deepEqual(late.messages, [0]);
  const missing = Story.joined().introduce(eva, 9, 4).take({ type: 'entered', session, sequence: 11, participant: eva }).ordered(12, 1, eva);
  assert.deepEqual(missing.overReasons, ['gap']);
});

test('skipped and what is meant for others count, and are not delivered', () => {
  const story = Story.joined().ordered(11, 0).take({ type: 'skipped', session, sequence: 12, sender: ben, counter: 1 }).ordered(13, 2, ben, [eva]).ordered(14, 3, ben, [ana]);
  assert.deepEqual(story.messages, [0, 3]);
  assert.deepEqual(story.overReasons, []);
});

test('a record that does not open ends the session as tampered; a sample that does not is counted', () => {
  const story = Story.joined();
  story.take({ type: 'sampled', session, sender: ben, recipients: [], sealed: key('x') }, 'failed');
  assert.equal(story.state.session(session)?.droppedSampleCount, 1);
  assert.deepEqual(story.overReasons, []);
  story.take({ type: 'ordered', session, sequence: 11, sender: ben, counter: 0, recipients: [], sealed: key('x') }, 'failed');
  assert.deepEqual(story.overReasons, ['tampered']);
});

test('samples come once, in whatever order', () => {
  const story = Story.joined();
  for (const counter of [3, 1, 3, 2, 1]) story.take({ type: 'sampled', session, sender: ben, recipients: [], sealed: key('x') }, { senderId: ben, counter, kind: 1, payload: key(`${counter}`) });
  assert.deepEqual(story.messages, [3, 1, 2]);
});

test('a record is told its place once and kept until it is stable', () => {
  const story = Story.joined();
  story.note(story.state.record(session, { counter: 0, recipients: [], sealed: key('a'), token: 20 }));
  story.ordered(11, 0, ana).ordered(12, 0, ana);
  assert.deepEqual(story.of('settle'), [{ type: 'settle', token: 20, refusal: null }]);
  assert.equal(story.state.session(session)?.records.count, 1);
  story.take({ type: 'stable', session, sequence: 10 });
  assert.equal(story.state.session(session)?.records.count, 1);
  story.take({ type: 'stable', session, sequence: 11 });
  assert.equal(story.state.session(session)?.records.count, 0);
});

test('resumed: only what had no answer goes out again, as the same bytes', () => {
  const story = Story.joined();
  for (const counter of [0, 1]) story.note(story.state.record(session, { counter, recipients: [], sealed: key(`r${counter}`), token: 20 + counter }));
  story.ordered(11, 0, ana);
  story.note(story.state.request({ type: 'remove', session, entry: eva }, 30));
  story.note(story.state.lost(1006, story.now, 0)).connect();
  story.effects = [];
  story.welcome({ resumed: true });
  assert.deepEqual(story.sent.map(({ type, counter }) => [type, counter]), [['record', 1], ['remove', undefined]]);
  assert.deepEqual(story.sent[0].sealed, key('r1'));
});

test('resumed: in sync only once what was missed is in', () => {
  const story = Story.joined();
  const missed = randomId();
  story.note(story.state.lost(1006, story.now, 0)).connect().welcome({ resumed: true });
  assert.equal(story.ledger.isComplete, false);
  story.attachment(missed, 3, { sequence: 11 });
  assert.equal(story.ledger.isComplete, false);
  story.take({ type: 'stable', session, sequence: 10 });
  assert.equal(story.ledger.isComplete, true);
  assert.ok(story.ledger.entries.has(missed));
});

test('a new incarnation: the introduction, every record that is not stable and every request go out again, and the ledger is reconciled', () => {
  const story = Story.joined();
  const [stays, goes] = [randomId(), randomId()];
  story.attachment(stays, 3, { sequence: 11 }).attachment(goes, 4, { sequence: 12 });
  story.note(story.state.record(session, { counter: 0, recipients: [], sealed: key('r0'), token: 20 })).ordered(13, 0, ana);
  story.note(story.state.lost(1006, story.now, 0));
  assert.equal(story.ledger.isComplete, false);
  story.connect();
  story.effects = [];
  story.welcome({ incarnation: 6n });
  assert.deepEqual(story.sent.map(({ type }) => type), ['put', 'record']);
  assert.equal(story.sent[0].entry, ana);
  story.take({ type: 'position', session, sequence: 0, participants: [{ participant: ana, isConnected: true }] });
  assert.equal(story.ledger.entries.size, 2);
  story.attachment(stays, 3);
  story.take({ type: 'complete', session, sequence: 1 });
  assert.deepEqual([...story.ledger.entries.keys()], [stays]);
  assert.equal(story.ledger.isComplete, true);
  story.ordered(1, 0, ana).ordered(2, 5);
  assert.deepEqual([story.messages, story.overReasons], [[5], []]);
});

test('of two forms of an entry the greater version stands, whichever comes first', () => {
  const story = Story.joined();
  const id = randomId();
  story.attachment(id, 8, { sequence: 11, hashes: 1 });
  story.take({ type: 'position', session, sequence: 11, participants: [] });
  story.attachment(id, 7);
  assert.equal(story.ledger.entries.get(id).version, 8);
  assert.equal(story.ledger.ignoredCount, 0);
});

test('what is removed while the ledger arrives stays away', () => {
  const story = Story.joined();
  const id = randomId();
  story.take({ type: 'position', session, sequence: 20, participants: [] });
  story.take({ type: 'removed', session, sequence: 21, remover: ben, entry: id, reason: 'removed' });
  story.attachment(id, 5);
  story.take({ type: 'complete', session, sequence: 21 });
  assert.equal(story.ledger.entries.size, 0);
});

test('an attachment is replaced only by its maker, only for the same body, and never back from its final form', () => {
  const story = Story.joined();
  const id = randomId();
  story.attachment(id, 5, { sequence: 11 }).attachment(id, 6, { sequence: 12, maker: eva });
  assert.deepEqual([story.ledger.entries.get(id).version, story.ledger.ignoredCount], [5, 1]);
  story.attachment(id, 7, { sequence: 13, hashes: 1 }).attachment(id, 8, { sequence: 14 });
  assert.deepEqual([story.ledger.entries.get(id).version, story.ledger.ignoredCount], [7, 2]);
});

test('an entry that does not open is counted and changes nothing', () => {
  const story = Story.joined();
  story.take({ type: 'entry', session, sequence: 11, version: 4, putter: ben, entry: eva, isPresenceBound: false, isBodyComplete: false, bodyLength: 0, sealed: key('x') }, 'failed');
  assert.deepEqual([story.ledger.entries.size, story.ledger.ignoredCount, story.overReasons], [0, 1, []]);
});

test('an introduction under another name than its key gives is ignored, and who is not introduced is no participant', () => {
  const story = Story.joined();
  story.take({ type: 'entered', session: OWN_SESSION, sequence: 4, participant: eva });
  story.take({ type: 'entry', session: OWN_SESSION, sequence: 5, version: 9, putter: eva, entry: eva, isPresenceBound: true, isBodyComplete: false, bodyLength: 0, sealed: key('x') },
    { makerId: ben, publicKey: key(ben), kind: entryKinds.introduction, value: 'Eva' });
  assert.deepEqual(story.state.participantIds, [ben, ana]);
  assert.equal(story.state.senderOf(kidOf(eva, 'record')), null);
  story.introduce(eva, 10, 6);
  assert.deepEqual(story.state.participantIds, [ben, ana, eva]);
  assert.equal(story.state.senderOf(kidOf(eva, 'record'))?.senderId, eva);
});

test('a put is answered by its own entry, also when only a later put of the same name is seen', () => {
  const story = Story.joined();
  const put = (/** @type {string} */ sealed) => /** @type {any} */ ({ type: 'put', session, entry: eva, isPresenceBound: false, isBodyComplete: false, bodyLength: 64, sealed: key(sealed) });
  story.note(story.state.request(put('one'), 30)).note(story.state.request(put('two'), 31));
  story.attachment(eva, 3, { sequence: 11, maker: ana, sealed: 'two' });
  assert.deepEqual(story.of('settle').map(({ token }) => token), [30, 31]);
});

test('a refusal reaches whoever asked, with its figures; removing what is gone is no error', () => {
  const story = Story.joined();
  story.note(story.state.request({ type: 'put', session, entry: eva, isPresenceBound: false, isBodyComplete: false, bodyLength: 64, sealed: key('x') }, 30));
  story.note(story.state.request({ type: 'remove', session, entry: ben }, 31));
  story.take({ type: 'refused', frameType: 'put', session, subject: eva, counter: 0, code: 'conversation-quota', limit: 5, value: 9 });
  story.take({ type: 'refused', frameType: 'remove', session, subject: ben, counter: 0, code: 'unknown-entry', limit: 0, value: 0 });
  assert.equal(story.of('settle')[0].refusal.value, 9);
  assert.equal(story.of('settle')[1].refusal, null);
});

test('acknowledgements go out after 64 frames or one second, and not twice', () => {
  const story = Story.joined();
  for (let count = 0; count < 63; count += 1) story.ordered(11 + count, count);
  assert.deepEqual(story.sent, []);
  story.ordered(74, 63);
  assert.deepEqual(story.sent.map(({ type, sequence }) => [type, sequence]), [['acknowledge', 74]]);
  story.ordered(75, 64);
  story.now += 1_000;
  story.state.heard(story.now);
  story.note(story.state.tick(story.now, 0)).note(story.state.tick(story.now, 0));
  assert.deepEqual(story.sent.filter(({ session: id }) => id === session).map(({ sequence }) => sequence), [74, 75]);
});

test('what was taken in before the relay restarted is not acknowledged to the new incarnation', () => {
  const story = Story.joined();
  story.ordered(11, 0);
  story.note(story.state.lost(1006, story.now, 0)).connect().welcome({ incarnation: 6n });
  story.effects = [];
  const tick = () => {
    story.now += 1_000;
    story.state.heard(story.now);
    story.note(story.state.tick(story.now, 0));
  };
  tick();
  assert.deepEqual(story.sent, []);
  story.take({ type: 'position', session, sequence: 1, participants: [{ participant: ben, isConnected: true }, { participant: ana, isConnected: true }] });
  story.ordered(2, 1);
  tick();
  assert.deepEqual(story.sent.map(({ type, session: id, sequence }) => [type, id, sequence]), [['acknowledge', session, 2]]);
});

test('who was in already acknowledges where it is told to stand', () => {
  const story = Story.joined();
  const tick = () => {
    story.now += 1_000;
    story.state.heard(story.now);
    story.note(story.state.tick(story.now, 0));
  };
  tick();
  story.effects = [];
  story.take({ type: 'position', session, sequence: 40, participants: [{ participant: ben, isConnected: true }, { participant: ana, isConnected: true }] });
  tick();
  assert.deepEqual(story.sent.map(({ type, session: id, sequence }) => [type, id, sequence]), [['acknowledge', session, 40]]);
});

test('a removal is done when the relay says so, and not when the ledger lacks the entry', () => {
  const story = Story.joined();
  story.note(story.state.request({ type: 'remove', session, entry: eva }, 40));
  story.note(story.state.lost(1006, story.now, 0)).connect().welcome({ incarnation: 6n });
  assert.equal(story.sent.filter(({ type }) => type === 'remove').length, 2);
  story.take({ type: 'position', session, sequence: 1, participants: [{ participant: ana, isConnected: true }] });
  story.take({ type: 'complete', session, sequence: 1 });
  assert.deepEqual(story.of('settle'), []);
  story.take({ type: 'refused', frameType: 'remove', session, subject: eva, counter: 0, code: 'unknown-entry', limit: 0, value: 0 });
  assert.deepEqual(story.of('settle').map(({ token, refusal }) => [token, refusal]), [[40, null]]);
});

test('a session in which we have no place any more has ended, and one that we were leaving is left', () => {
  for (const isLeaving of [false, true]) {
    const story = Story.joined();
    story.note(story.state.lost(1006, story.now, 0)).connect().welcome({ resumed: true });
    if (isLeaving) story.note(story.state.exit(session));
    story.take({ type: 'refused', frameType: 'hello', session, subject: eva, counter: 0, code: 'not-in-session', limit: 0, value: 0 });
    assert.deepEqual(story.overReasons, [isLeaving ? 'left' : 'ended']);
  }
});

test('whoever ends a session and is refused by the disk leaves it, and does not end it again', () => {
  const story = Story.joined();
  story.note(story.state.end(session));
  story.effects = [];
  story.take({ type: 'refused', frameType: 'end', session, subject: eva, counter: 0, code: 'storage-failed', limit: 0, value: 0 });
  assert.deepEqual(story.sent.map(({ type, session: id }) => [type, id]), [['exit', session]]);
  assert.deepEqual(story.overReasons, []);
  story.note(story.state.lost(1006, story.now, 0)).connect().welcome({ resumed: true });
  assert.deepEqual(story.sent.filter(({ type }) => type === 'end'), []);
  story.take({ type: 'refused', frameType: 'hello', session, subject: eva, counter: 0, code: 'not-in-session', limit: 0, value: 0 });
  assert.deepEqual(story.overReasons, ['left']);
});

test('a session whose ledger was cut off is entered again', () => {
  const story = Story.joined();
  story.take({ type: 'position', session, sequence: 20, participants: [] });
  story.note(story.state.lost(1006, story.now, 0)).connect();
  story.effects = [];
  story.welcome({ resumed: true });
  assert.deepEqual(story.sent.map(({ type, session: id }) => [type, id]), [['enter', session]]);
});

test('what each close code means', () => {
  for (const [code, reason] of [[4001, 'conversation-ended'], [4104, 'conversation-ended'], [4300, 'cannot-resume'], [4106, 'replaced'], [4110, 'flooding'], [4100, 'malformed'], [4199, 'malformed']]) {
    const story = Story.joined();
    story.note(story.state.lost(Number(code), story.now, 0));
    assert.deepEqual(story.of('closed'), [{ type: 'closed', code: reason }], String(code));
  }
  for (const code of [4200, 4201, 4202, 4203, 1006, 1000, 1012]) {
    const story = Story.joined();
    story.note(story.state.lost(code, story.now, 0));
    assert.deepEqual([story.of('closed'), story.state.link.phase], [[], 'waiting'], String(code));
  }
});

test('pauses grow to four seconds, and retryNow ends the one that runs', () => {
  const { link } = new Story().connect().state;
  const pauses = [];
  for (let failure = 0; failure < 8; failure += 1) {
    link.lost(0, 1);
    pauses.push(link.wakeAt);
  }
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000]);
  assert.deepEqual(link.retryNow(0), ['open']);
  assert.deepEqual(link.retryNow(0), []);
});

test('a relay that lets in and dies, again and again, is tried again within two seconds each time, and not at once', () => {
  const { link } = new Story().connect().state;
  const pauses = [];
  for (let life = 0; life < 6; life += 1) {
    link.welcome(0);
    link.lost(4_999, 1);
    pauses.push(link.wakeAt - 4_999);
  }
  assert.deepEqual(pauses, [1_000, 2_000, 2_000, 2_000, 2_000, 2_000]);
  link.welcome(0);
  link.lost(5_000, 1);
  assert.equal(link.wakeAt - 5_000, 1_000);
});

test('25 s of silence drop the connection; a timer that was held back asks first', () => {
  const silent = Story.joined();
  assert.deepEqual(silent.state.link.tick(silent.now + 25_000), ['drop']);
  const frozen = Story.joined();
  assert.deepEqual(frozen.state.link.tick(frozen.now + 300_000), ['check']);
  frozen.state.heard(frozen.now + 300_010);
  assert.deepEqual(frozen.state.link.tick(frozen.now + 306_000), []);
  const dead = Story.joined();
  assert.deepEqual(dead.state.link.tick(dead.now + 300_000), ['check']);
  assert.deepEqual(dead.state.link.tick(dead.now + 305_000), ['drop']);
});

test('leaving is answered by the relay or by two seconds', () => {
  const story = Story.joined();
  story.note(story.state.leave(story.now));
  assert.deepEqual(story.sent.map(({ type }) => type), ['leave']);
  story.note(story.state.tick(story.now + 2_000, 0));
  assert.deepEqual(story.of('closed'), [{ type: 'closed', code: 'left' }]);
});

test('who leaves before the relay has answered says so, behind the greeting, and takes no place that is given meanwhile', () => {
  for (const answer of [{ type: 'welcome', version: 1, resumed: false, created: false, incarnation: 5n }, { type: 'waiting' }]) {
    const story = new Story().connect();
    story.effects = [];
    story.note(story.state.leave(story.now)).take(answer);
    assert.deepEqual(story.sent.map(({ type }) => type), ['leave']);
    assert.equal(story.state.link.phase, 'leaving');
    story.note(story.state.lost(4000, story.now, 0));
    assert.deepEqual(story.of('closed'), [{ type: 'closed', code: 'left' }]);
  }
});

test('who leaves before a restarted relay has answered compares what still comes with no log of before', () => {
  const story = Story.joined();
  story.note(story.state.lost(1006, story.now, 0)).connect();
  story.note(story.state.leave(story.now)).welcome({ incarnation: 6n });
  story.take({ type: 'position', session, sequence: 0, participants: [{ participant: ben, isConnected: true }] });
  assert.equal(story.state.session(session)?.chain.speak(false)?.incarnation, 6n);
});

test('the own going closes the conversation with the word that it was for', () => {
  for (const [reason, code] of [['left', 'left'], ['away', 'cannot-resume']]) {
    const story = Story.joined();
    story.effects = [];
    story.take({ type: 'exited', session: OWN_SESSION, sequence: story.state.own.sequence + 1, participant: ana, reason });
    assert.deepEqual(story.of('closed'), [{ type: 'closed', code }]);
  }
});

test('a mebibyte taken in is acknowledged at once, however few frames it came in', () => {
  const story = Story.joined();
  const sent = () => story.sent.filter(({ type, session: id }) => type === 'acknowledge' && id === session).map(({ sequence }) => sequence);
  story.effects = [];
  for (let place = 11; place < 15; place += 1) story.take({ type: 'ordered', session, sequence: place, sender: ana, counter: place - 11, recipients: [], sealed: new Uint8Array(262_144) });
  assert.deepEqual(sent(), [14]);
});
