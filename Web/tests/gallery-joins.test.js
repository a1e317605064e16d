// Tests when people hear that many have come.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Joins } from '../gallery/joins.js';

const minute = 60_000;

test('a family that comes one after the other is nothing to tell', () => {
  let joins = new Joins();
  for (let number = 1; number <= 20; number += 1) {
    joins = joins.came(1, number * 20_000);
    assert.equal(joins.unusual(number * 20_000), null);
  }
  assert.equal(joins.latelyCount(20 * 20_000), 20);
});

test('six within a minute are told once, and again only when six more have come', () => {
  let joins = new Joins();
  for (let number = 1; number <= 5; number += 1) joins = joins.came(1, number);
  assert.equal(joins.unusual(5), null);
  joins = joins.came(1, 6);
  const found = joins.unusual(6);
  assert.equal(found?.count, 6);
  joins = found?.joins ?? joins;
  for (let number = 7; number <= 11; number += 1) joins = joins.came(1, number);
  assert.equal(joins.unusual(11), null);
  assert.equal(joins.came(1, 12).unusual(12)?.count, 6);
});

test('who came more than ten minutes ago is not counted', () => {
  const joins = new Joins().came(3, 0).came(2, 9 * minute);
  assert.equal(joins.latelyCount(9 * minute), 5);
  assert.equal(joins.latelyCount(10 * minute), 2);
  assert.equal(joins.came(1, 30 * minute).latelyCount(30 * minute), 1);
});
