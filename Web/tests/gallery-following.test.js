// Tests who leads and who follows, and what a wall shows next.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Following } from '../gallery/following.js';
import { hasUnseen, nextOnWall } from '../gallery/wall-order.js';
import { Feed, photoNamed } from './gallery-doubles.js';

const photoA = 'A'.repeat(22);
const photoB = 'B'.repeat(22);

/** Several pages in one session: what one sends has one place in everybody's order. @param {...string} names */
function pages(...names) {
  const people = names.map((name, index) => ({ id: `id-${index}`, name, isLocal: false, isAway: false }));
  /** @type {Map<string, Map<string, Feed<any>>>} */
  const feeds = new Map(people.map(({ id }) => [id, new Map([['showing', new Feed()], ['following', new Feed()]])]));
  /** @type {(() => void)[]} */
  const held = [];
  const net = { isHeld: false, release: () => held.splice(0).forEach((run) => run()) };
  const all = people.map((person) => {
    const session = Object.assign(new EventTarget(), { localParticipant: person, activeParticipants: people.map((other) => ({ ...other, isLocal: other === person })) });
    const messenger = {
      messages: (/** @type {string} */ identifier) => feeds.get(person.id)?.get(identifier),
      send: (/** @type {unknown} */ message, /** @type {{ to?: any, messageIdentifier: string }} */ { to, messageIdentifier }) =>
        new Promise((resolve) => {
          const place = () => {
            const ids = to === undefined ? people.map(({ id }) => id) : [to].flat().map(({ id }) => id);
            for (const id of ids) if (id !== person.id) feeds.get(id)?.get(messageIdentifier)?.push({ message, source: person });
            resolve(undefined);
          };
          if (net.isHeld) held.push(place);
          else place();
        }),
    };
    const following = new Following(() => 7);
    following.begin(/** @type {any} */ (session), /** @type {any} */ (messenger));
    return { following, session };
  });
  return { all, net, feeds };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('whoever shows is seen to show, and nobody follows without wishing to', async () => {
  const { all: [ana, ben] } = pages('Ana', 'Ben');
  ana?.following.lead(photoA);
  await settled();
  assert.deepEqual(ben?.following.leader, { id: 'id-0', name: 'Ana', attachmentId: photoA, since: 7 });
  assert.equal(ben?.following.isFollowing, false);
  assert.equal(ana?.following.followerCount, 0);
});

test('who follows goes along, is counted, and stops whenever they like', async () => {
  const { all: [ana, ben] } = pages('Ana', 'Ben');
  ana?.following.lead(photoA);
  await settled();
  ben?.following.follow();
  await settled();
  assert.equal(ana?.following.followerCount, 1);
  ana?.following.show(photoB);
  await settled();
  assert.equal(ben?.following.leader?.attachmentId, photoB);
  ben?.following.unfollow();
  await settled();
  assert.equal(ben?.following.isFollowing, false);
  assert.equal(ana?.following.followerCount, 0);
});

test('when the leader stops or goes nobody follows any more', async () => {
  const { all: [ana, ben] } = pages('Ana', 'Ben');
  ana?.following.lead(photoA);
  await settled();
  ben?.following.follow();
  ana?.following.stopLeading();
  await settled();
  assert.equal(ben?.following.leader, null);
  assert.equal(ben?.following.isFollowing, false);
  ana?.following.lead(photoA);
  await settled();
  ben?.following.follow();
  if (ben) ben.session.activeParticipants = ben.session.activeParticipants.filter(({ id }) => id !== 'id-0');
  ben?.session.dispatchEvent(new Event('activeparticipantschange'));
  assert.equal(ben?.following.leader, null);
});

test('two who begin to show at once are seen alike by everyone: one of them leads', async () => {
  const { all: [ana, ben, cleo], net } = pages('Ana', 'Ben', 'Cleo');
  net.isHeld = true;
  ana?.following.lead(photoA);
  ben?.following.lead(photoB);
  net.release();
  await settled();
  assert.equal(cleo?.following.leader?.name, 'Ben');
  assert.equal(ana?.following.leader?.name, 'Ben');
  assert.equal(ana?.following.isLeading, false);
  assert.equal(ben?.following.isLeading, true);
  assert.equal(ben?.following.leader, null);
});

test('who comes while somebody shows learns of it', async () => {
  const { all: [ana, ben] } = pages('Ana', 'Ben');
  const everyone = ana?.session.activeParticipants ?? [];
  if (ana) ana.session.activeParticipants = everyone.slice(0, 1);
  ana?.following.lead(photoA);
  await settled();
  if (ana) ana.session.activeParticipants = everyone;
  ana?.session.dispatchEvent(new Event('activeparticipantschange'));
  await settled();
  assert.equal(ben?.following.leader?.attachmentId, photoA);
});

test('who begins to show after another leads, whatever the clocks say', async () => {
  const { all: [ana, ben] } = pages('Ana', 'Ben');
  ben?.following.lead(photoB);
  await settled();
  ana?.following.lead(photoA);
  await settled();
  assert.equal(ben?.following.isLeading, false);
  assert.equal(ben?.following.leader?.name, 'Ana');
});

test('words of any shape are no leader', async () => {
  const { all: [, ben], feeds } = pages('Ana', 'Ben');
  for (const message of [null, 3, 'x', {}, { isShowing: true }, { isShowing: true, photo: 7 }, { isShowing: true, photo: 'short' }, { isShowing: 'true', photo: photoA, since: 1 }, { isShowing: true, photo: photoA }, { isShowing: true, photo: photoA, since: 1.5 }, []]) {
    feeds.get('id-1')?.get('showing')?.push({ message, source: { id: 'id-0', name: 'Ana' } });
  }
  await settled();
  assert.equal(ben?.following.leader, null);
});

test('a wall shows what it has not shown, in order of adding, then what was not seen for longest', () => {
  const photos = ['one', 'two', 'three'].map((name) => photoNamed(name));
  const [one, two, three] = photos;
  const turns = new Map();
  for (let turn = 1; turn <= 3; turn += 1) {
    const next = nextOnWall(photos, turns, null);
    assert.equal(next, photos[turn - 1]);
    if (next) turns.set(next.id, turn);
  }
  assert.equal(nextOnWall(photos, turns, null), one);
  assert.equal(hasUnseen(photos, turns), false);
  const fresh = photoNamed('four');
  assert.equal(hasUnseen([...photos, fresh], turns), true);
  assert.equal(nextOnWall([...photos, fresh], turns, null), fresh);
  assert.equal(nextOnWall([two, three].filter((photo) => photo !== undefined), turns, null), two);
});

test('a wall shows what somebody shows to all', () => {
  const photos = [photoNamed('one'), photoNamed('two', { attachmentId: photoB })];
  assert.equal(nextOnWall(photos, new Map(), photoB), photos[1]);
  assert.equal(nextOnWall(photos, new Map(), photoA), photos[0], 'one that is not here yet is not waited for');
});

test('a wall passes over photos of which there is nothing to see', () => {
  assert.equal(nextOnWall([photoNamed('one', { original: null })], new Map(), null), null);
});
