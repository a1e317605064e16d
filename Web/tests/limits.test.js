// The two files of limits say the same.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { bodyLength } from '../groupactivities/attachment-body.js';
import { closeReason } from '../groupactivities/close-reasons.js';
import { limits } from '../groupactivities/limits.js';

/** @param {string} path in the repository */
const source = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('limits.js has the names and numbers of Limits.swift, none more, none fewer', () => {
  const declarations = source('Sources/Wire/Limits.swift').matchAll(/static let (\w+)(?:: \w+)? = ([\d_]+)/g);
  const swift = Object.fromEntries(Array.from(declarations, ([, name, number]) => [name, Number(number.replaceAll('_', ''))]));
  assert.ok(Object.keys(swift).length > 15);
  assert.deepEqual({ ...limits }, swift);
});

test('the longest body is that of the longest attachment', () => {
  assert.equal(bodyLength(limits.attachmentSizeLimitBytes), limits.bodySizeLimitBytes);
});

test('close reasons are those of CloseReason.swift, and the hundreds say what follows', () => {
  const cases = [...source('Sources/Wire/CloseReason.swift').matchAll(/case (\w+) = (\d+)/g)];
  assert.ok(cases.length > 10);
  for (const [, name, number] of cases) {
    assert.equal(closeReason(Number(number)).word, name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  }
  assert.deepEqual([4000, 4099, 4100, 4199, 4200, 4299, 4300, 4399].map((code) => closeReason(code).consequence),
    ['over', 'over', 'refused', 'refused', 'resume', 'resume', 'new', 'new']);
  assert.deepEqual(closeReason(4150), { code: 4150, word: 'unknown', consequence: 'refused' });
});

test('a code that is not the relay\'s own is a line that broke', () => {
  for (const code of [0, 1000, 1006, 1015, 3000, 4400, 4999, Number.NaN]) assert.deepEqual(closeReason(code), { code, word: 'interrupted', consequence: 'resume' });
});
