// Reads what an AVIF or HEIC says of its items: of what kind each is and where its bytes lie.

import { boxesIn, fourCharacters } from './boxes.js';

/** @typedef {import('../byte-window.js').ByteWindow} ByteWindow */
/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {{ start: number, end: number }} Extent in the file */
/** @typedef {{ type: string, contentType: string, extents: Extent[] | null }} Item `extents` is empty for an item without bytes of its own, and null where they cannot be told */

const tableLimitBytes = 1_048_576;
const infoLimitBytes = 1_024;
const extentLimit = 65_536;

/**
 * @param {ByteWindow} window
 * @param {Box[]} parts what is inside a `meta` box
 * @returns {Promise<Item[] | null>} null where the tables are damaged
 */
export async function readItems(window, parts) {
  const infos = parts.find((box) => box.name === 'iinf');
  const table = parts.find((box) => box.name === 'iloc');
  if (!infos) return [];
  const places = table ? await readPlaces(window, table, parts.find((box) => box.name === 'idat')) : new Map();
  const kinds = await readKinds(window, infos);
  if (places === null || kinds === null) return null;
  const items = [...kinds].map(([id, kind]) => ({ ...kind, extents: places.has(id) ? (places.get(id) ?? null) : [] }));
  // Bytes that belong to an item without a kind are not to be overwritten either.
  const nameless = [...places].filter(([id]) => !kinds.has(id)).map(([, extents]) => ({ type: '', contentType: '', extents }));
  return [...items, ...nameless];
}

/** @param {ByteWindow} window @param {Box} infos @returns {Promise<Map<number, { type: string, contentType: string }> | null>} */
async function readKinds(window, infos) {
  const [version] = await window.read(infos.at, 1);
  const boxes = version === undefined ? null : await boxesIn(window, infos.at + (version === 0 ? 6 : 8), infos.end);
  if (boxes === null) return null;
  const kinds = new Map();
  for (const box of boxes) {
    const view = await window.view(box.at, Math.min(box.end - box.at, infoLimitBytes));
    if (view === null || view.byteLength < 13 || view.getUint8(0) < 2) continue;
    const isWide = view.getUint8(0) > 2;
    const at = isWide ? 10 : 8;
    if (at + 4 > view.byteLength) continue;
    const [, contentType = ''] = textsIn(view, at + 4);
    kinds.set(isWide ? view.getUint32(4) : view.getUint16(4), { type: fourCharacters(view, at), contentType });
  }
  return kinds;
}

/** @param {DataView} view @param {number} at @returns {string[]} */
function textsIn(view, at) {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, view.byteLength - at);
  return String.fromCharCode(...bytes).split('\0');
}

/** Reads numbers whose width the file itself chooses; beyond the end they are 0 and `isCut`. */
class Cursor {
  at = 0;
  isCut = false;

  /** @param {DataView} view */
  constructor(view) {
    this.view = view;
  }

  /** @param {number} width 0, 1, 2, 4 or 8 bytes */
  number(width) {
    const { at } = this;
    this.at += width;
    if (this.at > this.view.byteLength) this.isCut = true;
    if (this.isCut || width === 0) return 0;
    if (width === 8) return Number(this.view.getBigUint64(at));
    return width === 4 ? this.view.getUint32(at) : width === 2 ? this.view.getUint16(at) : this.view.getUint8(at);
  }
}

/** @param {ByteWindow} window @param {Box} table @param {Box | undefined} inner @returns {Promise<Map<number, Extent[] | null> | null>} */
async function readPlaces(window, table, inner) {
  const view = table.end - table.at > tableLimitBytes ? null : await window.view(table.at, table.end - table.at);
  if (view === null || view.byteLength < 8) return null;
  const cursor = new Cursor(view);
  const version = cursor.number(4) >>> 24;
  const widths = [...halves(cursor.number(1)), ...halves(cursor.number(1))];
  if (version > 2 || widths.some((width) => width !== 0 && width !== 4 && width !== 8)) return null;
  const [offsetWidth, lengthWidth, baseWidth] = widths;
  const indexWidth = version === 0 ? 0 : widths[3];
  const places = new Map();
  let extentCount = 0;
  for (let left = cursor.number(version === 2 ? 4 : 2); left > 0 && !cursor.isCut; left -= 1) {
    const id = cursor.number(version === 2 ? 4 : 2);
    const method = version === 0 ? 0 : cursor.number(2) & 15;
    const isElsewhere = cursor.number(2) !== 0;
    const base = cursor.number(baseWidth) + (method === 1 ? inner?.at ?? Number.NaN : 0);
    const extents = [];
    let isTellable = !isElsewhere && method <= 1 && lengthWidth > 0;
    for (let count = cursor.number(2); count > 0 && !cursor.isCut; count -= 1) {
      cursor.number(indexWidth);
      const start = base + cursor.number(offsetWidth);
      const length = cursor.number(lengthWidth);
      extentCount += 1;
      if (extentCount > extentLimit) return null;
      // A length of 0 stands for all the rest of the file; a start that is not a number for a box that is not there.
      if (length === 0 || !(start + length <= (method === 1 ? inner?.end ?? 0 : window.length))) isTellable = false;
      extents.push({ start, end: start + length });
    }
    places.set(id, isTellable ? extents : null);
  }
  return cursor.isCut ? null : places;
}

/** @param {number} byte */
function halves(byte) {
  return [byte >> 4, byte & 15];
}
