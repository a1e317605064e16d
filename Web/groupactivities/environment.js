// Everything a conversation takes from its surroundings, in one place, so that a test can give it other ones.

import { browserNetwork } from './transport.js';

/**
 * @typedef {object} Environment
 * @property {import('./transport.js').Network} network
 * @property {(callback: () => void, milliseconds: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} now milliseconds that only grow
 * @property {() => Date} date
 * @property {() => number} random from 0 to 1
 */

/** What an app or a test may put in place of the browser's. @typedef {Partial<Omit<Environment, 'network'>> & { network?: Partial<import('./transport.js').Network> }} GivenEnvironment */

/**
 * @param {GivenEnvironment} [given]
 * @returns {Environment}
 */
export function environment({ network, ...given } = {}) {
  return {
    network: { ...browserNetwork, ...network },
    setTimeout: (callback, milliseconds) => globalThis.setTimeout(callback, milliseconds),
    clearTimeout: (timer) => globalThis.clearTimeout(timer),
    now: () => globalThis.performance.now(),
    date: () => new Date(),
    random: () => Math.random(),
    ...given,
  };
}
