// Runs the relay itself for a test: on any free port first, on the same one and the same data again after it was killed.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Often enough to be no delay, seldom enough to leave the relay its share of the machine. */
const pollMilliseconds = 2;

const program = process.env.HEARTH ?? new URL('../../../.build/release/hearth', import.meta.url).pathname;

export class RelayProcess {
  data = mkdtempSync(join(tmpdir(), 'hearth-'));
  origin = '';
  /** @type {import('node:child_process').ChildProcess | null} */
  #process = null;

  /** @param {...string} options */
  async start(...options) {
    const port = this.origin === '' ? '0' : new URL(this.origin).port;
    const child = spawn(program, ['serve', '--host', '127.0.0.1', '--port', port, '--data', this.data, '--quiet', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const address = /http:\/\/\S+?:(\d+)/.exec(line);
      if (!address) continue;
      this.origin = `http://127.0.0.1:${address[1]}`;
      return;
    }
    throw new Error('The relay ended without a word');
  }

  /** @param {NodeJS.Signals} [signal] */
  stop(signal = 'SIGKILL') {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve(undefined));
      child.kill(signal);
    });
  }

  async erase() {
    await this.stop();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** @param {() => unknown} condition waited for without a limit of its own: the test runner has one */
export async function until(condition) {
  while (!await condition()) await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
}
