// Zooming keeps what is under the pointer under it, and never shows more emptiness than there is.

import assert from 'node:assert/strict';
import test from 'node:test';
import { extended, noSelection, retained, toggled } from '../gallery/selection.js';
import { closeScale, fitted, mostScale, movedBy, scaledTo } from '../gallery/zoom.js';

const room = { stage: { width: 1_000, height: 600 }, picture: { width: 800, height: 600 }, pixels: { width: 4_000, height: 3_000 } };

test('what is under the pointer stays under it', () => {
  const point = { x: 100, y: -50 };
  const zoom = scaledTo(fitted, 3, point, room);
  assert.deepEqual([(point.x - zoom.x) / zoom.scale, (point.y - zoom.y) / zoom.scale].map(Math.round), [100, -50]);
  const closer = scaledTo(zoom, 4, point, room);
  assert.deepEqual([(point.x - closer.x) / closer.scale, (point.y - closer.y) / closer.scale].map(Math.round), [100, -50]);
});

test('out of everything the picture fits and stands in the middle', () => {
  assert.deepEqual(scaledTo(scaledTo(fitted, 5, { x: 400, y: 300 }, room), 0.1, { x: 0, y: 0 }, room), fitted);
});

test('every pixel can be seen, and no more than twice as large', () => {
  assert.equal(mostScale(room), 10);
  assert.equal(scaledTo(fitted, 1_000, { x: 0, y: 0 }, room).scale, 10);
  assert.equal(mostScale({ ...room, pixels: { width: 100, height: 75 } }), 4);
});

test('a double tap leads to the picture\'s own pixels where that is worth it', () => {
  assert.equal(closeScale({ ...room, pixels: { width: 1_600, height: 1_200 } }), 2);
  assert.equal(closeScale(room), 2.5);
  assert.equal(closeScale({ ...room, pixels: { width: 400, height: 300 } }), 2.5);
});

test('the picture is moved up to its edges and no further', () => {
  const zoom = scaledTo(fitted, 2, { x: 0, y: 0 }, room);
  assert.deepEqual(movedBy(zoom, 10_000, -10_000, room), { scale: 2, x: 300, y: -300 });
  assert.deepEqual(movedBy(scaledTo(fitted, 1.1, { x: 0, y: 0 }, room), 500, 0, room).x, 0, 'narrower than the stage it stays in the middle');
  assert.deepEqual(movedBy(fitted, 50, 50, room), fitted);
});

const order = ['a', 'b', 'c', 'd', 'e'];

test('photos are selected one by one, in ranges either way, and let go', () => {
  const one = toggled(noSelection, 'd');
  assert.deepEqual([...extended(one, 'b', order).ids].sort(), ['b', 'c', 'd']);
  assert.deepEqual([...extended(extended(one, 'b', order), 'e', order).ids].sort(), ['b', 'c', 'd', 'e'], 'a range begins where the last single one was');
  assert.deepEqual([...toggled(extended(one, 'b', order), 'c').ids].sort(), ['b', 'd']);
  assert.deepEqual([...extended(noSelection, 'c', order).ids], ['c']);
});

test('what is not shown any more is not selected', () => {
  const some = extended(toggled(noSelection, 'a'), 'c', order);
  assert.deepEqual([...retained(some, ['a', 'c', 'x']).ids], ['a', 'c']);
  assert.equal(retained(some, order), some);
});
