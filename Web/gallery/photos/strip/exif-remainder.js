// What may stay of EXIF: which way is up, and nothing else.

import { parseExif } from '../exif.js';

/** @typedef {import('./pieces.js').Bytes} Bytes */

/** How much of a large EXIF block is looked at; its first directory, which holds the orientation, stands at its beginning. */
export const exifLimitBytes = 1_048_576;

const tagLocation = 0x8825;
const entryLimit = 512;

/**
 * @param {Uint8Array} tiff
 * @returns {{ remainder: Bytes | null, isClean: boolean, hasLocation: boolean }} `remainder` is a TIFF structure with the orientation alone, null where it is the usual one; `isClean` when `tiff` is just that already
 */
export function judgeExif(tiff) {
  const { orientation } = parseExif(tiff);
  const remainder = orientation === 1 ? null : orientationAlone(orientation);
  const isClean = remainder !== null && remainder.length === tiff.length && remainder.every((byte, index) => byte === tiff[index]);
  return { remainder, isClean, hasLocation: hasLocation(tiff) };
}

/** @param {number} orientation 1 to 8 @returns {Bytes} a TIFF structure that says nothing else */
export function orientationAlone(orientation) {
  const view = new DataView(new ArrayBuffer(26));
  view.setUint32(0, 0x4d4d002a);
  view.setUint32(4, 8);
  view.setUint16(8, 1);
  view.setUint16(10, 0x0112);
  view.setUint16(12, 3);
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return new Uint8Array(view.buffer);
}

/** @param {Uint8Array} tiff */
function hasLocation(tiff) {
  if (tiff.length < 8) return false;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = view.getUint16(0) === 0x4949;
  const at = view.getUint32(4, little);
  if (at + 2 > tiff.length) return false;
  const count = Math.min(view.getUint16(at, little), entryLimit, Math.floor((tiff.length - at - 2) / 12));
  for (let index = 0; index < count; index += 1) {
    if (view.getUint16(at + 2 + index * 12, little) === tagLocation) return true;
  }
  return false;
}
