// Reads size, orientation and date from a picture's own headers, so that nothing has to be decoded to judge it.

import { ascii } from './formats.js';
import { noExif, parseExif } from './exif.js';
import { readBoxes } from './heif-header.js';
import { readJpeg } from './jpeg-header.js';
import { readRaw } from './raw.js';

/** @typedef {import('./byte-window.js').ByteWindow} ByteWindow */
/** @typedef {import('./formats.js').PhotoFormat} PhotoFormat */
/**
 * @typedef {{ width: number, height: number, orientation: number, takenAt: string | null, isAnimated: boolean }} PhotoHeader
 * Width and height as stored; `orientation` is what EXIF asks for on top of that.
 */

const chunkLimit = 4_096;
const exifLimitBytes = 1_048_576;

/**
 * @param {PhotoFormat} format
 * @param {ByteWindow} window
 * @returns {Promise<PhotoHeader | null>} null when the headers are damaged
 */
export async function readHeader(format, window) {
  const header = await readers[format](window);
  return header !== null && header.width > 0 && header.height > 0 ? header : null;
}

/** @type {Record<PhotoFormat, (window: ByteWindow) => Promise<PhotoHeader | null>>} */
const readers = { jpeg: readJpeg, png: readPng, webp: readWebp, gif: readGif, avif: readBoxes, heic: readBoxes, raw: readRaw };

/** @param {ByteWindow} window @returns {Promise<PhotoHeader | null>} */
async function readPng(window) {
  const first = await window.view(8, 16);
  if (first === null || first.getUint32(4) !== 0x49484452) return null;
  let exif = noExif;
  let isAnimated = false;
  let at = 33;
  for (let step = 0; step < chunkLimit; step += 1) {
    const view = await window.view(at, 8);
    if (view === null) break;
    const length = view.getUint32(0);
    const name = String.fromCharCode(view.getUint8(4), view.getUint8(5), view.getUint8(6), view.getUint8(7));
    if (name === 'acTL') isAnimated = true;
    if (name === 'eXIf' && length <= exifLimitBytes) exif = parseExif(await window.read(at + 8, length));
    if (name === 'IEND') break;
    at += 12 + length;
  }
  return { width: first.getUint32(8), height: first.getUint32(12), ...exif, isAnimated };
}

/** @param {ByteWindow} window @returns {Promise<PhotoHeader | null>} */
async function readGif(window) {
  const view = await window.view(6, 7);
  if (view === null) return null;
  const isAnimated = await hasSecondGifFrame(window, view.getUint8(4));
  return { width: view.getUint16(0, true), height: view.getUint16(2, true), ...noExif, isAnimated };
}

/** @param {ByteWindow} window @param {number} flags */
async function hasSecondGifFrame(window, flags) {
  let at = 13 + colorTableLength(flags);
  let frameCount = 0;
  for (let step = 0; step < chunkLimit; step += 1) {
    const [kind] = await window.read(at, 1);
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) {
      frameCount += 1;
      if (frameCount === 2) return true;
      const descriptor = await window.view(at, 10);
      if (descriptor === null) return false;
      at += 11 + colorTableLength(descriptor.getUint8(9));
    } else return false;
    for (let block = 0; block < exifLimitBytes; block += 1) {
      const [length] = await window.read(at, 1);
      at += 1 + (length ?? 0);
      if (!length) break;
    }
  }
  return false;
}

/** @param {number} flags */
function colorTableLength(flags) {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** @param {ByteWindow} window @returns {Promise<PhotoHeader | null>} */
async function readWebp(window) {
  const view = await window.view(12, 18);
  if (view === null) return null;
  const name = ascii(await window.read(12, 4), 0, 4);
  if (name === 'VP8 ') {
    return { width: view.getUint16(14, true) & 0x3fff, height: view.getUint16(16, true) & 0x3fff, ...noExif, isAnimated: false };
  }
  if (name === 'VP8L') {
    const bits = view.getUint32(9, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, ...noExif, isAnimated: false };
  }
  if (name !== 'VP8X') return null;
  const flags = view.getUint8(8);
  const width = (view.getUint16(12, true) | (view.getUint8(14) << 16)) + 1;
  const height = (view.getUint8(15) | (view.getUint16(16, true) << 8)) + 1;
  const exif = flags & 0x08 ? await findWebpExif(window) : noExif;
  return { width, height, ...exif, isAnimated: (flags & 0x02) !== 0 };
}

/** @param {ByteWindow} window */
async function findWebpExif(window) {
  let at = 12;
  for (let step = 0; step < chunkLimit; step += 1) {
    const view = await window.view(at, 8);
    if (view === null) return noExif;
    const length = view.getUint32(4, true);
    if (view.getUint32(0) === 0x45584946 && length <= exifLimitBytes) {
      const bytes = await window.read(at + 8, length);
      return parseExif(ascii(bytes, 0, 6) === 'Exif\0\0' ? bytes.subarray(6) : bytes);
    }
    at += 8 + length + (length & 1);
  }
  return noExif;
}
