// Photos stand in rows as wide as the page, in their own shapes, and stay where they are when more come.

import assert from 'node:assert/strict';
import test from 'node:test';
import { aspectOf, justify } from '../gallery/layout.js';

const room = { width: 1_000, rowHeight: 200, gap: 10 };
const shapes = [1.5, 0.66, 1.5, 1, 2.66, 1.33, 0.75, 1.5, 1.77, 0.77, 1.5, 1, 1, 1, 3.5, 0.5, 1.2];

/** @param {{ width: number, height: number }[]} sizes */
function rowsOf(sizes) {
  /** @type {number[][]} */
  const rows = [[]];
  let across = 0;
  for (const { width } of sizes) {
    if (across + width > room.width + 0.01) {
      rows.push([]);
      across = 0;
    }
    rows.at(-1)?.push(width);
    across += width + room.gap;
  }
  return rows;
}

test('each row but the last fills the width to a pixel and never spills over', () => {
  const rows = rowsOf(justify(shapes, room));
  assert.ok(rows.length > 3);
  for (const row of rows.slice(0, -1)) {
    const width = row.reduce((sum, each) => sum + each, 0) + room.gap * (row.length - 1);
    assert.ok(width <= room.width && width > room.width - 1, String(width));
  }
});

test('each photo keeps its shape', () => {
  for (const [index, { width, height }] of justify(shapes, room).entries()) assert.ok(Math.abs(width / height - (shapes[index] ?? 0)) < 0.01);
});

test('a photo that comes later moves nothing but the last row', () => {
  const before = justify(shapes, room);
  const after = justify([...shapes, 1.5, 1.5, 0.7], room);
  const settled = rowsOf(before).slice(0, -1).flat().length;
  assert.deepEqual(after.slice(0, settled), before.slice(0, settled));
});

test('a lone photo is not blown up', () => {
  assert.deepEqual(justify([1.5], room), [{ width: 300, height: 200 }]);
});

test('any width and any shapes give sizes that can be drawn', () => {
  for (const width of [1, 50, 320, 4_000]) {
    for (const size of justify(shapes, { ...room, width })) assert.ok(size.width >= 0 && size.height >= 0 && Number.isFinite(size.width + size.height));
  }
  assert.deepEqual(justify([], room), []);
});

test('threads and ribbons are kept within bounds, and an unknown shape gets a usual one', () => {
  assert.equal(aspectOf({ width: 0, height: 0 }), 4 / 3);
  assert.ok(aspectOf({ width: 100_000, height: 1 }) < 4);
  assert.ok(aspectOf({ width: 1, height: 100_000 }) > 0.3);
});
