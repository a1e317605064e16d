// Makers and judges that are not ours: what a test says about a format is said by the tools that people use.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const outputLimitBytes = 67_108_864;

/**
 * @param {string} tool
 * @param {string[]} arguments_
 * @param {string} from what installs the tool
 * @returns {string} what it prints; throws with its own words where it fails, and with `from` where it is missing
 */
export function run(tool, arguments_, from) {
  try {
    return execFileSync(tool, arguments_, { encoding: 'utf8', maxBuffer: outputLimitBytes, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (/** @type {{ code?: string }} */ (error).code === 'ENOENT') throw new Error(`These tests need ${tool} in PATH: ${from}`, { cause: error });
    throw error;
  }
}

/** @param {string} script in this folder, or `-c` @param {...string} arguments_ */
export function python(script, ...arguments_) {
  return run(pythonPath(), [script === '-c' ? script : join(here, script), ...arguments_], 'scripts/install test');
}

/** @type {string | null} */
let foundPython = null;

function pythonPath() {
  const candidates = [join(here, '../../.venv/bin/python'), 'python3'];
  foundPython ??= candidates.find((path) => spawnSync(path, ['-c', 'import PIL, pillow_heif']).status === 0) ?? null;
  if (foundPython === null) throw new Error('These tests need a Python with pillow and pillow-heif (requirements-test.txt): scripts/install test');
  return foundPython;
}

/** @param {(end: () => void) => void} onEnd takes what removes the folder when it is not needed any more @returns {string} */
export function makeFolder(onEnd) {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-oracles-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @param {string} folder
 * @returns {string[]} the names of the pictures that were made in it
 */
export function makePictures(folder) {
  run('exiftool', ['-ver'], 'libimage-exiftool-perl');
  return JSON.parse(python('make_pictures.py', folder));
}

/** @typedef {{ frames?: [string, [number, number], number | null, string][], profile?: string | null, loop?: number | null, orientation?: number, density?: unknown, transparency?: string, error?: string }} Seen */

/**
 * @param {string[]} paths
 * @param {{ isLenient?: boolean }} [options] lenient: show what can be decoded of damaged pictures
 * @returns {Seen[]}
 */
export function readPictures(paths, { isLenient = false } = {}) {
  return JSON.parse(python('read_pictures.py', ...(isLenient ? ['--lenient'] : []), ...paths));
}

/**
 * @param {string[]} paths
 * @returns {Record<string, unknown>[]} all that exiftool finds, also in what is embedded, by `group:tag`
 */
export function readTags(paths) {
  return JSON.parse(run('exiftool', ['-j', '-G1', '-a', '-u', '-ee', ...paths], 'libimage-exiftool-perl'));
}

/** @param {string} folder @param {string} name @param {Uint8Array | Blob} content @returns {Promise<string>} its path */
export async function put(folder, name, content) {
  const path = join(folder, name);
  writeFileSync(path, content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content);
  return path;
}
