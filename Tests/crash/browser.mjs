// One Chromium with one page, of which the tab or all of it can be killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { within } from './patience.mjs';

const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const options = [
  '--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run', '--disable-background-timer-throttling', '--disable-renderer-backgrounding',
  '--disable-background-networking', '--disable-component-update', '--remote-debugging-port=0',
];

export class Browser {
  #folder = mkdtempSync(join(tmpdir(), 'hearth-page-'));
  #child;
  #ended;
  #isKilled = false;

  /** @param {string} address @param {(text: string) => void} complain of an end that nobody wanted */
  constructor(address, complain) {
    // A group of its own: what it starts can be found, and killed with it.
    this.#child = spawn(findProgram(), [...options, `--user-data-dir=${this.#folder}`, address], { stdio: 'ignore', detached: true });
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        complain(`the browser: ${error.message}`);
        resolve(undefined);
      });
      this.#child.once('close', (code, signal) => {
        if (!this.#isKilled) complain(`the browser ended by itself: ${signal ?? code}`);
        resolve(undefined);
      });
    });
  }

  /** The process that draws the page and runs its programs; what holds its connections lives on and has to find out. */
  killTab() {
    const group = this.#child.pid;
    const tabs = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isTab(name, group));
    assert.notEqual(tabs.length, 0, `the browser ${group} has no tab`);
    for (const tab of tabs) killHard(Number(tab));
  }

  /** All of its processes at once. */
  async kill() {
    this.#isKilled = true;
    if (this.#child.pid !== undefined) killHard(-this.#child.pid);
    await within(`the browser ${this.#child.pid} is dead`, this.#ended);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function findProgram() {
  const folders = (process.env.PATH ?? '').split(':');
  const isThere = (/** @type {string} */ name) => name.includes('/') || folders.some((folder) => contains(folder, name));
  const program = names.find(isThere);
  assert.ok(program, `none of ${names.join(', ')} is in PATH; CHROMIUM=… names another`);
  return program;
}

/** @param {string} folder @param {string} name */
function contains(folder, name) {
  try {
    return readdirSync(folder).includes(name);
  } catch {
    return false;
  }
}

/** @param {string} pid @param {number | undefined} group */
function isTab(pid, group) {
  try {
    // The name of the program, in parentheses, may hold blanks; the group is the third field behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ');
    return Number(fields[2]) === group && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
  } catch {
    return false;
  }
}

/** What is dead already needs nothing more. @param {number} pid */
function killHard(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
