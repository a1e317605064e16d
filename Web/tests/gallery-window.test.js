// Thousands of photos have a place; those near what is looked at are drawn, in order, and the keys find their way among all.

import assert from 'node:assert/strict';
import test from 'node:test';
import { firstWhere, inNextRow, placesOf, rangeBetween } from '../gallery/grid-window.js';

const room = { width: 1_200, rowHeight: 220, gap: 10 };
const aspects = Array.from({ length: 2_000 }, (_, index) => [1.5, 0.75, 4 / 3, 16 / 9, 1][index % 5] ?? 1);
const { places, height } = placesOf(aspects, room);

test('places stand row by row, within the width, without overlap', () => {
  for (const [index, place] of places.entries()) {
    assert.ok(place.start + place.width <= room.width + 0.01);
    const next = places[index + 1];
    if (!next) continue;
    if (next.top === place.top) assert.ok(next.start >= place.start + place.width + room.gap - 0.01);
    else assert.ok(next.start === 0 && next.top >= place.top + place.height + room.gap - 0.01);
  }
  const last = places.at(-1);
  assert.ok(last && last.top + last.height === height);
});

test('no place at all has no height', () => {
  assert.deepEqual(placesOf([], room), { places: [], height: 0 });
});

test('what is drawn covers what is seen, and is a few hundred at most', () => {
  for (let top = 0; top < height; top += 977) {
    const { from, to } = rangeBetween(places, top - 900, top + 1_800, 60);
    assert.ok(to - from >= 60 && to - from < 200);
    for (const [index, place] of places.entries()) {
      if (place.top + place.height > top && place.top < top + 900) assert.ok(index >= from && index < to);
    }
  }
});

test('a small gallery is there as a whole, wherever one looks', () => {
  assert.deepEqual(rangeBetween(places.slice(0, 50), 0, 300, 60), { from: 0, to: 50 });
  assert.deepEqual(rangeBetween(places.slice(0, 50), 2_000, 2_300, 60), { from: 0, to: 50 });
});

test('at the end there are as many as at the beginning', () => {
  const { from, to } = rangeBetween(places, height - 100, height, 60);
  assert.deepEqual([from, to], [1_940, 2_000]);
});

test('up and down lead to the nearest photo of the next row, and back', () => {
  const below = inNextRow(places, 2, 1);
  assert.ok((places[below]?.top ?? 0) > (places[2]?.top ?? 0));
  const steps = [...places.keys()].filter((at) => inNextRow(places, at, 1) === at);
  assert.deepEqual(steps, [...places.keys()].filter((at) => places[at]?.top === places.at(-1)?.top));
  assert.equal(inNextRow(places, 0, -1), 0);
});

test('the first that is reached is found, or none', () => {
  assert.equal(firstWhere(places, (place) => place.top > height), 2_000);
  assert.equal(firstWhere(places, () => true), 0);
});
