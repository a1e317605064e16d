// Leaves of a PNG's chunks those that change how it looks, and cuts the file where it says that it ends.

import { crc32 } from '../../archive/crc32.js';
import { ascii } from '../formats.js';
import { exifLimitBytes, judgeExif } from './exif-remainder.js';

/** @typedef {import('./pieces.js').Pieces} Pieces */

const chunkLimit = 1_048_576;
const lengthLimitBytes = 0x7fffffff;

/** Chunks that a decoder may pass over and that still change the picture. All that are not here and not critical go, so that a chunk nobody has heard of yet goes too. */
const looks = new Set(['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'mDCv', 'cLLi', 'bKGD', 'hIST', 'pHYs', 'sPLT', 'acTL', 'fcTL', 'fdAT']);

/** @type {Readonly<Record<string, import('./pieces.js').Removed>>} */
const names = { eXIf: 'exif', zxIf: 'exif', tEXt: 'text', zTXt: 'text', iTXt: 'text', tIME: 'time' };

/**
 * A file that ends inside its picture data is stripped all the same.
 * @type {import('./strip-metadata.js').Stripper}
 */
export async function stripPng(window, pieces) {
  pieces.keep(0, 8);
  let at = 8;
  let hasExif = false;
  for (let step = 0; step < chunkLimit && !pieces.isFull; step += 1) {
    const view = await window.view(at, 8);
    if (view === null) return 'damaged';
    const length = view.getUint32(0);
    const name = ascii(new Uint8Array(view.buffer, view.byteOffset + 4, 4), 0, 4);
    const end = at + 12 + length;
    if (length > lengthLimitBytes || !/^[A-Za-z]{4}$/.test(name) || (step === 0) !== (name === 'IHDR')) return 'damaged';
    if (end > window.length) {
      if (name !== 'IDAT' && name !== 'fdAT') return 'damaged';
      pieces.keep(at, window.length);
      return null;
    }
    if (name === 'eXIf') {
      passExif(await window.read(at + 8, Math.min(length, exifLimitBytes)), pieces, { at, end, isRepeated: hasExif });
      hasExif = true;
    } else if (isCritical(name) || looks.has(name)) pieces.keep(at, end);
    else pieces.drop(await nameOf(window, name, at + 8, length));
    if (name === 'IEND') {
      if (end < window.length) pieces.drop('trailer');
      return null;
    }
    at = end;
  }
  return 'too-many-parts';
}

/** @param {string} name */
function isCritical(name) {
  return name[0] < 'a';
}

/** Some programs keep XMP, IPTC and EXIF in chunks for text. @param {import('../byte-window.js').ByteWindow} window @param {string} name @param {number} at @param {number} length */
async function nameOf(window, name, at, length) {
  const known = names[name] ?? 'other';
  if (known !== 'text') return known;
  const keyword = ascii(await window.read(at, Math.min(length, 32)), 0, 32);
  if (keyword.startsWith('XML:com.adobe.xmp')) return 'xmp';
  if (/^Raw profile type (exif|APP1)/.test(keyword)) return 'exif';
  return /^Raw profile type (iptc|8bim)/.test(keyword) ? 'iptc' : 'text';
}

/** @param {Uint8Array} tiff @param {Pieces} pieces @param {{ at: number, end: number, isRepeated: boolean }} chunk */
function passExif(tiff, pieces, { at, end, isRepeated }) {
  const { remainder, isClean, hasLocation } = judgeExif(tiff);
  if (isClean && !isRepeated) {
    pieces.keep(at, end);
    return;
  }
  pieces.drop('exif', ...(hasLocation ? /** @type {const} */ (['location']) : []));
  if (remainder === null || isRepeated) return;
  const bytes = new Uint8Array(12 + remainder.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, remainder.length);
  bytes.set(new TextEncoder().encode('eXIf'), 4);
  bytes.set(remainder, 8);
  view.setUint32(8 + remainder.length, crc32(bytes.subarray(4, 8 + remainder.length)));
  pieces.insert(bytes);
}
