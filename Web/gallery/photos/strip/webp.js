// Leaves of a WebP's chunks those that are the picture, and mends the flags and the length that count on the others.

import { ascii } from '../formats.js';
import { exifLimitBytes, judgeExif } from './exif-remainder.js';

/** @typedef {import('./pieces.js').Pieces} Pieces */

const chunkLimit = 1_048_576;
const flagExif = 0x08;
const flagXmp = 0x04;
const looks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const pictures = new Set(['VP8 ', 'VP8L', 'ANMF']);

/** @type {import('./strip-metadata.js').Stripper} */
export async function stripWebp(window, pieces) {
  const header = new Uint8Array(await window.read(0, 12));
  const riff = new DataView(header.buffer);
  const fileEnd = 8 + riff.getUint32(4, true);
  if (fileEnd > window.length) return 'damaged';
  pieces.insert(header);
  /** @type {Uint8Array<ArrayBuffer> | null} */
  let features = null;
  let hasPicture = false;
  let hasExif = false;
  let hasOrientation = false;
  let at = 12;
  for (let step = 0; at < fileEnd; step += 1) {
    if (step === chunkLimit || pieces.isFull) return 'too-many-parts';
    const view = at + 8 > fileEnd ? null : await window.view(at, 8);
    if (view === null) return 'damaged';
    const name = ascii(new Uint8Array(view.buffer, view.byteOffset, 4), 0, 4);
    const length = view.getUint32(4, true);
    if (at + 8 + length > fileEnd) return 'damaged';
    // Some writers leave out the byte that makes the last chunk even.
    const end = Math.min(at + 8 + length + (length & 1), fileEnd);
    hasPicture ||= pictures.has(name);
    if (name === 'VP8X' && features === null && length >= 10) {
      features = new Uint8Array(await window.read(at, end - at));
      pieces.insert(features);
    } else if (looks.has(name)) pieces.keep(at, end);
    else if (name === 'EXIF') {
      const stays = passExif(await window.read(at + 8, Math.min(length, exifLimitBytes)), pieces, { at, end, isRepeated: hasExif });
      hasOrientation ||= stays;
      hasExif = true;
    } else pieces.drop(name === 'XMP ' ? 'xmp' : 'other');
    at = end;
  }
  if (!hasPicture) return 'damaged';
  if (fileEnd < window.length) pieces.drop('trailer');
  if (features !== null) features[8] &= ~(flagXmp | (hasOrientation ? 0 : flagExif));
  riff.setUint32(4, pieces.lengthBytes - 8, true);
  return null;
}

/**
 * @param {Uint8Array} bytes @param {Pieces} pieces @param {{ at: number, end: number, isRepeated: boolean }} chunk
 * @returns {boolean} whether a chunk with the orientation stays
 */
function passExif(bytes, pieces, { at, end, isRepeated }) {
  const { remainder, isClean, hasLocation } = judgeExif(ascii(bytes, 0, 6) === 'Exif\0\0' ? bytes.subarray(6) : bytes);
  if (isClean && !isRepeated && bytes.length === remainder?.length) {
    pieces.keep(at, end);
    return true;
  }
  pieces.drop('exif', ...(hasLocation ? /** @type {const} */ (['location']) : []));
  if (remainder === null || isRepeated) return false;
  const chunk = new Uint8Array(8 + remainder.length);
  chunk.set(new TextEncoder().encode('EXIF'));
  new DataView(chunk.buffer).setUint32(4, remainder.length, true);
  chunk.set(remainder, 8);
  pieces.insert(chunk);
  return true;
}
