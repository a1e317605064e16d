// Waits that say what they wait for, and that end.

import assert from 'node:assert/strict';

/** Far more than anything takes, also on a machine that is busy with other things: past it something is never going to happen. */
export const waitLimitMilliseconds = 120_000;
const pollMilliseconds = 2;

export const sleep = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * @template T
 * @param {string} what
 * @param {Promise<T>} promise
 * @param {number} [limitMilliseconds]
 * @returns {Promise<T>}
 */
export async function within(what, promise, limitMilliseconds = waitLimitMilliseconds) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const end = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMilliseconds} ms: ${what}`)), limitMilliseconds);
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} what
 * @param {() => unknown} condition may throw, which ends the wait
 * @param {{ limitMilliseconds?: number, explain?: () => string }} [options]
 */
export async function until(what, condition, { limitMilliseconds = waitLimitMilliseconds, explain = () => '' } = {}) {
  const started = performance.now();
  while (!condition()) {
    assert.ok(performance.now() - started < limitMilliseconds, `not within ${limitMilliseconds} ms: ${what}\n${explain()}`);
    await sleep(pollMilliseconds);
  }
}
