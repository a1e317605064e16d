// What a participant says of the log, when, and what it thinks of what others say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { encode } from '../groupactivities/base64url.js';
import { ByteReader } from '../groupactivities/bytes.js';
import { Divergences } from '../groupactivities/divergences.js';
import { decodeFrames } from '../groupactivities/frames.js';
import { Invitation } from '../groupactivities/invitation.js';
import { EpochKeys } from '../groupactivities/keys.js';
import { LogChain } from '../groupactivities/log-chain.js';
import { linkOf } from '../groupactivities/log-link.js';
import { encodeStretch, judge, readStretch } from '../groupactivities/log-stretch.js';
import { RecordOpener } from '../groupactivities/record-sealing.js';
import { hex, toHex } from './support/bytes.js';

const vectors = JSON.parse(readFileSync(new URL('../../Vectors/hearth/log.json', import.meta.url), 'utf8'));
const { session } = vectors;
/** Whose share is a half: it waits 12.5 s. */
const ana = idWithShare(128);

/** @param {number} last */
function idWithShare(last) {
  const bytes = new Uint8Array(16).fill(1);
  bytes[15] = last;
  return encode(bytes);
}

/** @param {number} place */
function link(place) {
  return linkOf({ type: 'entered', session, sequence: place, participant: ana }, null);
}

/** At place 10, in incarnation 5, having seen so many links more. @param {number} [count] @param {string} [id] */
function chainAt10(count = 0, id = ana) {
  const chain = new LogChain(id);
  chain.begin(5n, 10);
  for (let number = 1; number <= count; number += 1) chain.add(link(10 + number), true, 1_000);
  return chain;
}

/** @param {number} from @param {number} to */
async function stretch(from, to) {
  const links = Array.from({ length: to - from }, (_, number) => link(from + number + 1));
  return readStretch(new ByteReader(await encodeStretch(session, { incarnation: 5n, from, to, links })));
}

test('every place of a log gives the link that the vectors hold', async () => {
  assert.ok(vectors.links.length > 9);
  for (const { what, frame: bytes, opened, link: expected } of vectors.links) {
    const [frame] = decodeFrames(hex(bytes));
    assert.equal(toHex(await linkOf(/** @type {any} */ (frame), opened && { senderId: opened.sender, counter: opened.counter })), expected, what);
  }
});

test('what is thought of each claim is what the vectors say', async () => {
  const { incarnation, begin, links } = vectors.story;
  const chain = new LogChain(ana);
  chain.begin(BigInt(incarnation), begin);
  for (const each of links) chain.add(hex(each), true, 0);
  for (const { what, stretch: said, verdict } of vectors.claims) assert.equal(await judge(chain, session, readStretch(new ByteReader(hex(said)))), verdict, what);
});

test('the records of the vectors open, and say what they say', async () => {
  const { participantId: senderId, publicKey } = vectors.sender;
  const keys = await EpochKeys.from(Invitation.parse(vectors.link));
  const opener = await RecordOpener.create({ keys, sessionId: session, class: 'record', senderId, publicKey: hex(publicKey) });
  for (const { what, recipients, counter, stretch: said, kind, payload, sealed } of vectors.records) {
    assert.deepEqual(await opener.open({ sealed: hex(sealed), recipients }), { counter, kind, payload: hex(payload), stretch: readStretch(new ByteReader(hex(said))) }, what);
  }
});

test('each record to everyone begins where the last one to everyone ended', () => {
  const chain = chainAt10(4);
  const places = (/** @type {boolean} */ isForAll) => {
    const said = chain.speak(isForAll);
    return [said?.from, said?.to];
  };
  // To some: the others have not been told.
  assert.deepEqual([places(false), places(true)], [[10, 14], [10, 14]]);
  chain.add(link(15), true, 0);
  assert.deepEqual(places(true), [14, 15]);
});

test('a record speaks of the last 1024 places at most, and the last 4096 are remembered', async () => {
  const chain = chainAt10(9_000);
  const said = chain.speak(true);
  assert.deepEqual([said?.from, said?.to], [9_010 - 1_024, 9_010]);
  assert.equal(await judge(chain, session, await stretch(9_010 - 4_096, 9_010 - 3_500)), 'same');
  assert.equal(await judge(chain, session, await stretch(9_010 - 4_097, 9_010 - 3_500)), 'unknown');
});

test('without a place nothing is said and nothing judged', async () => {
  const chain = chainAt10(3);
  chain.end();
  chain.add(link(1), true, 0);
  assert.equal(chain.speak(true), null);
  assert.equal(await judge(chain, session, await stretch(10, 12)), 'elsewhere');
  assert.equal(chain.positionAt, Infinity);
});

test('something new is spoken of after ten to fifteen seconds, and once', () => {
  const chain = chainAt10(1);
  assert.equal(chain.positionAt, 13_500);
  chain.add(link(12), true, 9_000);
  assert.equal(chain.positionAt, 13_500);
  chain.speak(true);
  assert.equal(chain.positionAt, Infinity);
  chain.add(link(13), false, 20_000);
  assert.equal(chain.positionAt, Infinity);
});

test('a long stretch that nobody has spoken of does not wait', () => {
  assert.equal(chainAt10(511).positionAt, 13_500);
  assert.equal(chainAt10(512).positionAt, 2_000);
});

test('what somebody else has told everyone, and truly, need not be said again', () => {
  const chain = chainAt10(5);
  chain.vouch({ from: 10, to: 13 }, 4_000);
  assert.equal(chain.positionAt, 16_500);
  chain.vouch({ from: 13, to: 15 }, 5_000);
  assert.equal(chain.positionAt, Infinity);
  chain.add(link(16), true, 6_000);
  const said = chain.speak(true);
  assert.deepEqual([said?.from, said?.to], [15, 16]);
});

test('who has found another log says what it has seen itself, though nothing else is new', () => {
  const chain = new LogChain(ana);
  chain.begin(5n, 10);
  chain.add(link(11), false, 0);
  assert.equal(chain.positionAt, Infinity);
  chain.contradict({ incarnation: 5n, from: 10 }, 3_000);
  assert.equal(chain.positionAt, 15_500);
  chain.speak(true);
  assert.equal(chain.positionAt, Infinity);
});

test('people who are together do not speak at once', () => {
  assert.equal(new Set(Array.from({ length: 33 }, (_, number) => chainAt10(1, idWithShare(number * 7)).positionAt)).size, 33);
});

test('another log is told at once, and once for each who has seen it', () => {
  const divergences = new Divergences();
  divergences.begin(60, 0);
  /** @type {[import('../groupactivities/log-stretch.js').Verdict, string][]} */
  const verdicts = [['same', 'ana'], ['unknown', 'ana'], ['different', 'ana'], ['different', 'ana'], ['different', 'ben']];
  assert.deepEqual(verdicts.map(([verdict, id]) => divergences.weigh(verdict, id, 1_000)), [false, false, true, false, true]);
  assert.deepEqual(divergences.participants, ['ana', 'ben']);
});

test('what cannot be compared is excused as long as it may have been on its way, and no longer', () => {
  const divergences = new Divergences();
  divergences.begin(60, 100_000);
  assert.equal(divergences.weigh('elsewhere', 'ana', 760_000), false);
  divergences.came('ben', 700_000);
  assert.equal(divergences.weigh('elsewhere', 'ben', 1_360_000), false);
  assert.equal(divergences.weigh('elsewhere', 'ana', 760_001), true);
  assert.equal(divergences.weigh('elsewhere', 'ben', 1_360_001), true);
});

test('a relay that tells a window of a thousand years gains a day', () => {
  const divergences = new Divergences();
  divergences.begin(2 ** 32 - 1, 0);
  assert.equal(divergences.weigh('elsewhere', 'ana', 87_000_000), false);
  assert.equal(divergences.weigh('elsewhere', 'ana', 87_000_001), true);
});

test('who has seen another log is answered from where its record began, for it may know nothing of what was before', () => {
  const chain = chainAt10(5);
  chain.contradict({ incarnation: 5n, from: 12 }, 3_000);
  const places = () => {
    const said = chain.speak(true);
    return [said?.from, said?.to];
  };
  assert.deepEqual(places(), [12, 15]);
  // What lies before has not been said by that.
  assert.notEqual(chain.positionAt, Infinity);
  assert.deepEqual(places(), [10, 15]);
  assert.equal(chain.positionAt, Infinity);
  assert.deepEqual(places(), [15, 15]);
});

test('an answer that somebody else has given need not be given again', () => {
  const chain = chainAt10(5);
  chain.vouch({ from: 10, to: 15 }, 2_000);
  chain.contradict({ incarnation: 5n, from: 12 }, 3_000);
  assert.equal(chain.positionAt, 15_500);
  chain.vouch({ from: 12, to: 15 }, 4_000);
  assert.equal(chain.positionAt, Infinity);
});

test('nonsense is contradicted by what is known, and no more', () => {
  for (const claim of [{ incarnation: 5n, from: 3 }, { incarnation: 5n, from: 900 }, { incarnation: 6n, from: 12 }]) {
    const chain = chainAt10(5);
    chain.contradict(claim, 3_000);
    const said = chain.speak(true);
    assert.deepEqual([said?.from, said?.to], [10, 15]);
  }
});

test('what could not be compared is spoken of, though somebody has told everyone the same of what came after it', () => {
  const chain = chainAt10(5);
  chain.vouch({ from: 13, to: 15 }, 4_000);
  assert.notEqual(chain.positionAt, Infinity);
  assert.equal(chain.speak(true)?.from, 10);
});
