// What a session makes of a log with holes, and of people who are said not to be there: a value, no relay, no sealing.

import assert from 'node:assert/strict';
import test from 'node:test';

import { randomId } from '../groupactivities/identifiers.js';
import { SessionState } from '../groupactivities/session-state.js';

const [ana, ben, id] = [randomId(), randomId(), randomId()];
const around = { introduced: [ana, ben], welcome: /** @type {any} */ ({ type: 'welcome', incarnation: 5n, resumeWindowSeconds: 60 }) };

/** Ana's, at place 10. @param {...string} present */
function inside(...present) {
  const state = new SessionState(id, ana, () => true);
  state.enter();
  const participants = present.map((participant) => ({ participant, isConnected: true }));
  state.take(/** @type {any} */ ({ type: 'position', session: id, sequence: 10, participants }), null, 0, around);
  state.take(/** @type {any} */ ({ type: 'complete', session: id, sequence: 10 }), null, 0, around);
  return state;
}

/** Ben's. @param {SessionState} state @param {number} sequence @param {number} counter @param {any} [told] */
function ordered(state, sequence, counter, told) {
  const frame = /** @type {any} */ ({ type: 'ordered', session: id, sequence, sender: ben, counter, recipients: [], sealed: new Uint8Array(1) });
  return state.take(frame, { senderId: ben, counter, kind: 1, payload: new Uint8Array(), told }, 0, around);
}

test('who loses a session to a hole in the places is out of it once the relay has heard that, and can enter it again', () => {
  const state = inside(ana, ben);
  ordered(state, 11, 0);
  const effects = ordered(state, 13, 2);
  assert.ok(effects.some(({ type }) => type === 'over'));
  assert.equal(state.phase, 'exiting');
  state.take(/** @type {any} */ ({ type: 'exited', session: id, sequence: 15, participant: ana, reason: 'exited' }), null, 0, around);
  assert.equal(state.phase, 'outside');
});

test('who hears somebody is not alone, whoever is said to be there, and answers', () => {
  const state = inside(ana);
  ordered(state, 11, 0, { incarnation: 5n, from: 11, to: 11, verdict: 'different' });
  const due = state.positionAt;
  assert.notEqual(due, Infinity);
  assert.ok(state.tick(due).some(({ type }) => type === 'position-due'));
});

test('who is said to be the first to come does not make forgotten what somebody has said before', () => {
  const state = inside(ana);
  ordered(state, 11, 0);
  state.take(/** @type {any} */ ({ type: 'entered', session: id, sequence: 12, participant: ben }), null, 0, around);
  assert.deepEqual(state.chain.speak(true)?.from, 10);
});
