// How long to wait before the next attempt, so that neither a relay nor a phone's battery is worn out by trying.

export const shortestPauseMilliseconds = 250;
/** Short enough that everybody is back within 5 s of a relay's return, however long it was away. */
export const longestPauseMilliseconds = 4_000;

/**
 * Exponential with full jitter: from 250 ms to 500 ms after the first failure, up to 4 s after the fourth.
 * @param {number} failures how many attempts in a row have failed, from 1
 * @param {number} random from 0 to 1
 * @returns {number} milliseconds
 */
export function pauseMilliseconds(failures, random) {
  const ceiling = Math.min(longestPauseMilliseconds, shortestPauseMilliseconds * 2 ** Math.min(failures, 20));
  return Math.max(shortestPauseMilliseconds, Math.round(random * ceiling));
}
