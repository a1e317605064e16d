// What the tests say about errors: the word counts, and the figures where there is a limit.

import assert from 'node:assert/strict';

import { HearthError } from '../../groupactivities/errors.js';

/**
 * For `assert.throws` and `assert.rejects`.
 * @param {...string} codes
 */
export function isCode(...codes) {
  return (/** @type {unknown} */ error) => {
    assert.ok(error instanceof HearthError, `a HearthError, not ${error}`);
    assert.ok(codes.includes(error.code), `${codes.join(' or ')}, not ${error.code}: ${error.message}`);
    return true;
  };
}
