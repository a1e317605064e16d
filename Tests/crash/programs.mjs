// The ways in which a participant of a crash run can exist: in this process, or as a program of its own, in node or in Swift, that can be killed. (`pages.mjs`: as a page.)

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { within } from './patience.mjs';
import { Performer } from './performer.mjs';

/** @typedef {import('./performer.mjs').Order} Order */
/** @typedef {import('./performer.mjs').Told} Told */
/**
 * Somebody who can be told what to do. `kill` is without a word to anybody; `end` leaves nothing behind, dead or alive.
 * @typedef {{ order(order: Order): void, kill(): Promise<void>, end(): Promise<void> }} Program
 */

const swiftProgram = process.env.CRASH_PERFORMER ?? new URL('../../.build/release/CrashPerformer', import.meta.url).pathname;
const nodeProgram = new URL('node-performer.mjs', import.meta.url).pathname;

/**
 * @param {(told: Told) => void} tell
 * @param {typeof globalThis.WebSocket} WebSocket
 * @returns {Program}
 */
export function inProcess(tell, WebSocket) {
  const network = { WebSocket, fetch: (/** @type {string} */ input, /** @type {RequestInit | undefined} */ init) => globalThis.fetch(input, init) };
  const performer = new Performer(tell, { network });
  return {
    order: (order) => void performer.obey(order),
    kill: () => Promise.reject(new Error('who lives in this process cannot be killed')),
    end: () => Promise.resolve(),
  };
}

/** @param {(told: Told) => void} tell */
export const inSwift = (tell) => asProcess(swiftProgram, [], tell);

/** @param {(told: Told) => void} tell */
export const inNode = (tell) => asProcess(process.execPath, ['--no-warnings', '--experimental-websocket', nodeProgram], tell);

/**
 * @param {string} program
 * @param {string[]} options
 * @param {(told: Told) => void} tell
 * @returns {Program}
 */
function asProcess(program, options, tell) {
  const child = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] });
  let isKilled = false;
  createInterface({ input: child.stdout }).on('line', (line) => tell(JSON.parse(line)));
  // Its end is told by itself; nobody needs to hear that it takes no orders any more.
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => {
    child.once('error', (error) => {
      tell({ event: 'complaint', text: `${program}: ${error.message}` });
      resolve(undefined);
    });
    child.once('close', (code, signal) => {
      if (!isKilled && code !== 0) tell({ event: 'complaint', text: `the program ended by itself: ${signal ?? code}` });
      resolve(undefined);
    });
  });
  const kill = async () => {
    isKilled = true;
    child.kill('SIGKILL');
    await within(`${program} ${child.pid} is dead`, ended);
  };
  return { order: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`), kill, end: kill };
}
