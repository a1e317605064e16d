// Leaves of a JPEG's segments those that a decoder needs, and cuts the file where its picture ends.

import { ascii } from '../formats.js';
import { judgeExif } from './exif-remainder.js';
import { scanEnd } from './jpeg-scan.js';

/** @typedef {import('../byte-window.js').ByteWindow} ByteWindow */
/** @typedef {import('./pieces.js').Pieces} Pieces */
/** @typedef {{ at: number, end: number, marker: number, head: string }} Segment `head` is how its content begins */

const segmentLimit = 1_048_576;
const headLengthBytes = 40;
const exifHead = 'Exif\0\0';
const jfifLengthBytes = 18;

/**
 * A file that ends inside its scan, as a broken transfer leaves it, is stripped all the same: what is there was understood.
 * @type {import('./strip-metadata.js').Stripper}
 */
export async function stripJpeg(window, pieces) {
  pieces.keep(0, 2);
  let at = 2;
  let hasScan = false;
  let hasExif = false;
  for (let step = 0; step < segmentLimit && !pieces.isFull; step += 1) {
    const view = await window.view(at, 2);
    if (view === null) return hasScan && at === window.length ? null : 'damaged';
    const marker = view.getUint8(1);
    if (view.getUint8(0) !== 0xff || marker === 0x00 || marker === 0xd8) return 'damaged';
    if (marker === 0xff) {
      pieces.keep(at, at + 1);
      at += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)) {
      pieces.keep(at, at + 2);
      at += 2;
      if (marker !== 0xd9) continue;
      if (!hasScan) return 'damaged';
      if (at < window.length) pieces.drop(await judgeTrailer(window, at));
      return null;
    }
    const length = (await window.view(at + 2, 2))?.getUint16(0) ?? 0;
    const end = at + 2 + length;
    if (length < 2 || end > window.length) return 'damaged';
    const segment = { at, end, marker, head: ascii(await window.read(at + 4, Math.min(headLengthBytes, length - 2)), 0, headLengthBytes) };
    at = end;
    if (marker === 0xda) {
      hasScan = true;
      at = await scanEnd(window, end);
      pieces.keep(segment.at, at);
    } else if (marker === 0xe1 && segment.head.startsWith(exifHead)) {
      await passExif(window, pieces, segment, hasExif);
      hasExif = true;
    } else if (marker === 0xe0 && segment.head.startsWith('JFIF\0')) await passJfif(window, pieces, segment);
    else if (isNeeded(segment)) pieces.keep(segment.at, segment.end);
    else pieces.drop(nameOf(segment));
  }
  return 'too-many-parts';
}

/** Of all that applications may add, only the colour profile and Adobe's note on the colour model change how the picture looks. @param {Segment} segment */
function isNeeded({ marker, head }) {
  if (marker === 0xe2) return head.startsWith('ICC_PROFILE\0');
  if (marker === 0xee) return head.startsWith('Adobe');
  return marker !== 0xfe && (marker < 0xe0 || marker > 0xef);
}

/** @param {Segment} segment @returns {import('./pieces.js').Removed} */
function nameOf({ marker, head }) {
  if (marker === 0xfe) return 'text';
  if (marker === 0xed) return 'iptc';
  if (marker === 0xe0 && head.startsWith('JFXX\0')) return 'preview';
  if (marker === 0xe1 && head.startsWith('http://ns.adobe.com/')) return 'xmp';
  if (marker === 0xe2 && head.startsWith('MPF\0')) return 'pictures';
  return 'other';
}

/**
 * Decoders go by the first EXIF segment; the orientation stays where it stood.
 * @param {ByteWindow} window @param {Pieces} pieces @param {Segment} segment @param {boolean} isRepeated
 */
async function passExif(window, pieces, segment, isRepeated) {
  const start = segment.at + 4 + exifHead.length;
  const { remainder, isClean, hasLocation } = judgeExif(await window.read(start, segment.end - start));
  if (isClean && !isRepeated) {
    pieces.keep(segment.at, segment.end);
    return;
  }
  pieces.drop('exif', ...(hasLocation ? /** @type {const} */ (['location']) : []));
  if (remainder === null || isRepeated) return;
  const length = 2 + exifHead.length + remainder.length;
  const bytes = new Uint8Array(2 + length);
  bytes.set([0xff, 0xe1, length >> 8, length & 0xff]);
  bytes.set(new TextEncoder().encode(exifHead), 4);
  bytes.set(remainder, 4 + exifHead.length);
  pieces.insert(bytes);
}

/** A JFIF segment can hold a small picture, which may show what was cut away from the large one. @param {ByteWindow} window @param {Pieces} pieces @param {Segment} segment */
async function passJfif(window, pieces, segment) {
  if (segment.end - segment.at <= jfifLengthBytes) {
    pieces.keep(segment.at, segment.end);
    return;
  }
  const bytes = new Uint8Array(await window.read(segment.at, jfifLengthBytes));
  bytes.set([0, jfifLengthBytes - 2], 2);
  bytes.set([0, 0], jfifLengthBytes - 2);
  pieces.insert(bytes);
  pieces.drop('preview');
}

/** @param {ByteWindow} window @param {number} at @returns {Promise<import('./pieces.js').Removed>} */
async function judgeTrailer(window, at) {
  const head = await window.read(at, 3);
  return head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff ? 'pictures' : 'trailer';
}
