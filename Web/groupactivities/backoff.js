// How long to wait before the next attempt, so that neither a relay nor a phone's battery is worn out by trying.

/** A relay that was restarted is not there sooner. */
export const shortestPauseMilliseconds = 250;
/** Of the pause after the first failure. A thousand who come back within it are no burden to a relay. */
export const firstLongestPauseMilliseconds = 1_000;
/** Short enough that everybody is back within 5 s of a relay's return, however long it was away. */
export const longestPauseMilliseconds = 4_000;

/**
 * Drawn evenly from a span that doubles, up to 1 s after the first failure and up to 4 s after the third: those who lost the relay at one moment do not come back at one.
 * @param {number} failures how many attempts in a row have failed, from 1
 * @param {number} random from 0 to 1
 * @returns {number} milliseconds
 */
export function pauseMilliseconds(failures, random) {
  const ceiling = Math.min(longestPauseMilliseconds, firstLongestPauseMilliseconds * 2 ** Math.min(Math.max(failures - 1, 0), 20));
  return Math.round(shortestPauseMilliseconds + random * (ceiling - shortestPauseMilliseconds));
}
