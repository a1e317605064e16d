// Reads the directories of a TIFF file, which most RAW files are, without reading the file.

/** @typedef {import('./byte-window.js').ByteWindow} ByteWindow */
/** @typedef {{ type: number, count: number, at: number }} TiffEntry `at`: where its value stands */

const tagSubDirectories = 0x014a;
const tagExifDirectory = 0x8769;
const directoryLimit = 32;
const entryLimit = 512;
const lengths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4];

/** One table of a TIFF file. Values of other types than are asked for are not there. */
export class TiffDirectory {
  /** @type {Map<number, TiffEntry>} */
  #entries;

  /** @param {ByteWindow} window @param {boolean} little @param {Map<number, TiffEntry>} entries */
  constructor(window, little, entries) {
    this.window = window;
    this.little = little;
    this.#entries = entries;
  }

  /** @param {number} tag @returns {TiffEntry | undefined} */
  entry(tag) {
    return this.#entries.get(tag);
  }

  /** @param {number} tag @param {number} [limit] how many at most @returns {Promise<number[]>} whole numbers without a sign */
  async numbers(tag, limit = 16) {
    const entry = this.#entries.get(tag);
    if (entry === undefined || ![3, 4, 13].includes(entry.type)) return [];
    const length = lengths[entry.type] ?? 4;
    const count = Math.min(entry.count, limit);
    const view = await this.window.view(entry.at, count * length);
    if (view === null) return [];
    return Array.from({ length: count }, (_, index) => (length === 2 ? view.getUint16(index * 2, this.little) : view.getUint32(index * 4, this.little)));
  }

  /** @param {number} tag @returns {Promise<number>} the first number, or 0 */
  async number(tag) {
    return (await this.numbers(tag, 1))[0] ?? 0;
  }

  /** @param {number} tag @returns {Promise<string>} at most 64 characters, or nothing */
  async text(tag) {
    const entry = this.#entries.get(tag);
    if (entry === undefined || entry.type !== 2 || entry.count > 64) return '';
    return String.fromCharCode(...(await this.window.read(entry.at, entry.count))).replace(/\0[^]*$/, '').trim();
  }
}

/**
 * @param {ByteWindow} window
 * @returns {Promise<TiffDirectory[]>} the first one, those that follow it, and those that one of them names; each once, none from a file that is no TIFF
 */
export async function readDirectories(window) {
  const head = await window.view(0, 8);
  if (head === null) return [];
  const little = head.getUint16(0) === 0x4949;
  /** @type {TiffDirectory[]} */
  const found = [];
  const seen = new Set([0]);
  const waiting = [head.getUint32(4, little)];
  while (waiting.length > 0 && found.length < directoryLimit) {
    const at = waiting.shift() ?? 0;
    if (seen.has(at)) continue;
    seen.add(at);
    const table = await readTable(window, at, little);
    if (table === null) continue;
    const directory = new TiffDirectory(window, little, table.entries);
    found.push(directory);
    waiting.push(...(await directory.numbers(tagSubDirectories)), ...(await directory.numbers(tagExifDirectory, 1)), table.next);
  }
  return found;
}

/** @param {ByteWindow} window @param {number} at @param {boolean} little */
async function readTable(window, at, little) {
  const count = (await window.view(at, 2))?.getUint16(0, little) ?? 0;
  if (count === 0 || count > entryLimit) return null;
  const view = await window.view(at + 2, count * 12);
  if (view === null) return null;
  /** @type {Map<number, TiffEntry>} */
  const entries = new Map();
  for (let index = 0; index < count; index += 1) {
    const entry = index * 12;
    const [type, amount] = [view.getUint16(entry + 2, little), view.getUint32(entry + 4, little)];
    const isInside = amount * (lengths[type] ?? 4) <= 4;
    entries.set(view.getUint16(entry, little), { type, count: amount, at: isInside ? at + 2 + entry + 8 : view.getUint32(entry + 8, little) });
  }
  const next = (await window.view(at + 2 + count * 12, 4))?.getUint32(0, little) ?? 0;
  return { entries, next };
}
