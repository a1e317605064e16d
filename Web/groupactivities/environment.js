// Everything a conversation takes from its surroundings, in one place, so that a test can give it other ones.

import { browserTransport } from './transport.js';

/**
 * @typedef {object} Environment
 * @property {typeof globalThis.WebSocket} WebSocket
 * @property {import('./transport.js').Fetch} fetch
 * @property {(callback: () => void, milliseconds: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} now milliseconds that only grow
 * @property {() => Date} date
 * @property {() => number} random from 0 to 1
 */

/**
 * @param {Partial<Environment>} [given]
 * @returns {Environment}
 */
export function environment(given = {}) {
  return {
    WebSocket: browserTransport.WebSocket,
    fetch: browserTransport.fetch,
    setTimeout: (callback, milliseconds) => globalThis.setTimeout(callback, milliseconds),
    clearTimeout: (timer) => globalThis.clearTimeout(timer),
    now: () => globalThis.performance.now(),
    date: () => new Date(),
    random: () => Math.random(),
    ...given,
  };
}
