// The last frames of each participant's connections, kept so that a failed run can be understood.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { decodeFrames } from '../../Web/groupactivities/frames.js';

const frameLimit = 3_000;

export class Tape {
  /** @type {string[]} */
  #lines = [];
  /** A WebSocket that is recorded. @type {typeof globalThis.WebSocket} */
  WebSocket;

  constructor() {
    const note = (/** @type {string} */ line) => this.#note(line);
    const noteFrames = (/** @type {string} */ direction, /** @type {Uint8Array} */ bytes) => {
      for (const frame of decodeFrames(Uint8Array.from(bytes))) note(`${direction} ${describe(frame)}`);
    };
    this.WebSocket = class extends globalThis.WebSocket {
      /** @param {string | URL} url @param {string | string[]} [protocols] */
      constructor(url, protocols) {
        super(url, protocols);
        note('-- connecting');
        this.addEventListener('message', ({ data }) => { if (data instanceof ArrayBuffer) noteFrames('<', new Uint8Array(data)); });
        this.addEventListener('close', ({ code }) => note(`-- closed ${code}`));
      }

      /** @override @param {any} data */
      send(data) {
        noteFrames('>', data instanceof Uint8Array ? data : new Uint8Array(data));
        super.send(data);
      }
    };
  }

  /** @param {string} line */
  #note(line) {
    this.#lines.push(`${performance.now().toFixed(0)} ${line}`);
    if (this.#lines.length > 2 * frameLimit) this.#lines = this.#lines.slice(-frameLimit);
  }

  /** @param {string} name */
  write(name) {
    mkdirSync('artifacts/crash', { recursive: true });
    const path = join('artifacts/crash', `${name.replaceAll(' ', '-')}.txt`);
    writeFileSync(path, `${this.#lines.join('\n')}\n`);
    return path;
  }
}

/** @param {import('../../Web/groupactivities/frames.js').Frame} frame */
function describe(frame) {
  return JSON.stringify(frame, (key, value) => {
    if (typeof value === 'bigint') return String(value);
    if (value instanceof Uint8Array) return `${value.length} bytes`;
    return typeof value === 'string' && value.length === 22 ? value.slice(0, 4) : value;
  });
}
