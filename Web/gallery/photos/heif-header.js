// Reads size, rotation and date from the boxes of AVIF and HEIC, whose EXIF lies wherever an item table says.

import { noExif, parseExif } from './exif.js';

/** @typedef {import('./byte-window.js').ByteWindow} ByteWindow */
/** @typedef {{ name: string, at: number, end: number }} Box */

const boxLimit = 1_024;
const exifLimitBytes = 1_048_576;

/** @param {ByteWindow} window @returns {Promise<import('./header.js').PhotoHeader | null>} */
export async function readBoxes(window) {
  const top = await boxesIn(window, 0, window.length);
  const meta = top.find((box) => box.name === 'meta');
  if (!meta) return null;
  const parts = await boxesIn(window, meta.at + 4, meta.end);
  const properties = parts.find((box) => box.name === 'iprp');
  const container = properties && (await boxesIn(window, properties.at, properties.end)).find((box) => box.name === 'ipco');
  if (!container) return null;

  let size = { width: 0, height: 0 };
  let isTurned = false;
  for (const box of await boxesIn(window, container.at, container.end)) {
    if (box.name === 'ispe') {
      const view = await window.view(box.at + 4, 8);
      // Tiles and previews have sizes of their own; the whole picture's is the largest.
      if (view && view.getUint32(0) * view.getUint32(4) > size.width * size.height) {
        size = { width: view.getUint32(0), height: view.getUint32(4) };
      }
    }
    if (box.name === 'irot') isTurned = (((await window.read(box.at, 1))[0] ?? 0) & 1) === 1;
  }
  const { takenAt } = await readItemExif(window, parts);
  const upright = isTurned ? { width: size.height, height: size.width } : size;
  // Engines turn these pictures by `irot`, and the format's own text says to ignore the orientation of EXIF.
  return { ...upright, orientation: 1, takenAt, isAnimated: top.some((box) => box.name === 'moov') };
}

/** @param {ByteWindow} window @param {number} start @param {number} end @returns {Promise<Box[]>} */
export async function boxesIn(window, start, end) {
  const boxes = [];
  for (let at = start; at + 8 <= end && boxes.length < boxLimit;) {
    const view = await window.view(at, 8);
    if (view === null) break;
    let length = view.getUint32(0);
    let head = 8;
    if (length === 1) {
      const wide = await window.view(at + 8, 8);
      length = wide === null ? 0 : Number(wide.getBigUint64(0));
      head = 16;
    } else if (length === 0) length = end - at;
    if (length < head) break;
    const name = String.fromCharCode(...[4, 5, 6, 7].map((index) => view.getUint8(index)));
    boxes.push({ name, at: at + head, end: Math.min(at + length, end) });
    at += length;
  }
  return boxes;
}

/** @param {ByteWindow} window @param {Box[]} parts */
async function readItemExif(window, parts) {
  const bytes = await findExif(window, parts);
  return bytes === null ? noExif : parseExif(bytes);
}

/** @param {ByteWindow} window @param {Box[]} parts of the meta box @returns {Promise<Uint8Array | null>} a TIFF structure */
export async function findExif(window, parts) {
  const infos = parts.find((box) => box.name === 'iinf');
  const places = parts.find((box) => box.name === 'iloc');
  if (!infos || !places) return null;
  const version = (await window.read(infos.at, 1))[0] ?? 0;
  for (const info of await boxesIn(window, infos.at + (version === 0 ? 6 : 8), infos.end)) {
    const view = await window.view(info.at, 12);
    if (view === null || view.getUint8(0) !== 2 || view.getUint32(8) !== 0x45786966) continue;
    const place = await findItem(window, places, view.getUint16(4));
    if (place === null || place.length < 8 || place.length > exifLimitBytes) return null;
    const prefix = await window.view(place.at, 4);
    const skip = 4 + (prefix?.getUint32(0) ?? 0);
    return skip < place.length ? window.read(place.at + skip, place.length - skip) : null;
  }
  return null;
}

/** @param {ByteWindow} window @param {Box} box @param {number} wanted @returns {Promise<{ at: number, length: number } | null>} */
async function findItem(window, box, wanted) {
  const view = await window.view(box.at, Math.min(box.end - box.at, 65_536));
  if (view === null || view.byteLength < 8) return null;
  const version = view.getUint8(0);
  if (version > 1) return null;
  const [offsetSize, lengthSize] = [view.getUint8(4) >> 4, view.getUint8(4) & 15];
  const [baseSize, indexSize] = [view.getUint8(5) >> 4, version === 1 ? view.getUint8(5) & 15 : 0];
  if ([offsetSize, lengthSize].some((size) => size !== 4) || ![0, 4].includes(baseSize) || ![0, 4].includes(indexSize)) return null;
  let at = 8;
  for (let item = view.getUint16(6); item > 0; item -= 1) {
    const head = 2 + (version === 1 ? 2 : 0) + 2 + baseSize + 2;
    if (at + head > view.byteLength) return null;
    const id = view.getUint16(at);
    const base = baseSize === 4 ? view.getUint32(at + head - 6) : 0;
    const extentCount = view.getUint16(at + head - 2);
    at += head;
    if (id === wanted && extentCount === 1 && at + indexSize + 8 <= view.byteLength) {
      return { at: base + view.getUint32(at + indexSize), length: view.getUint32(at + indexSize + 4) };
    }
    at += extentCount * (indexSize + 8);
  }
  return null;
}
