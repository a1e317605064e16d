// Many who lose the relay at one moment come back spread out, and soon.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pauseMilliseconds } from '../groupactivities/backoff.js';
import { LinkState } from '../groupactivities/link-state.js';

const count = 2_000;
/** Evenly over what may be drawn. */
const draws = Array.from({ length: count }, (_, index) => (index + 0.5) / count);

/** How many of these times fall into the fullest tenth of a second. @param {number[]} milliseconds */
function fullestTenth(milliseconds) {
  const counts = new Map();
  for (const time of milliseconds) counts.set(Math.floor(time / 100), (counts.get(Math.floor(time / 100)) ?? 0) + 1);
  return Math.max(...counts.values());
}

test('the pauses of many fill the whole span, from a quarter of a second to one, then two, then four', () => {
  for (const [failures, longest] of [[1, 1_000], [2, 2_000], [3, 4_000], [4, 4_000], [1_000, 4_000]]) {
    const pauses = draws.map((random) => pauseMilliseconds(failures, random));
    assert.ok(Math.min(...pauses) >= 250 && Math.min(...pauses) < 260 && Math.max(...pauses) <= longest && Math.max(...pauses) > longest - 10);
    assert.ok(fullestTenth(pauses) <= count * 0.15, `${failures}: ${fullestTenth(pauses)}`);
  }
});

test('two thousand whose relay was away for a moment or for long are all back four seconds after it, and never in one crowd', () => {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (const away of [0, 1_000, 8_000, 60_000]) {
    let attempts = 0;
    const returns = draws.map(() => {
      const link = new LinkState();
      link.welcome(-60_000);
      link.lost(0, random());
      attempts += 1;
      while (link.wakeAt < away) {
        const now = link.wakeAt;
        link.open(now);
        link.lost(now, random());
        attempts += 1;
      }
      return link.wakeAt - away;
    });
    assert.ok(Math.max(...returns) <= 4_000, `${away}: ${Math.max(...returns)}`);
    assert.ok(fullestTenth(returns) <= count * 0.18, `${away}: ${fullestTenth(returns)}`);
    assert.ok(attempts <= count * (3 + away / 2_000), `${away}: ${attempts}`);
  }
});
