// Reads size, orientation and date from a JPEG's own headers: of a photo, and of the one inside a RAW file.

import { ascii } from './formats.js';
import { noExif, parseExif } from './exif.js';

/** @typedef {import('./byte-window.js').ByteWindow} ByteWindow */

const segmentLimit = 4_096;

/** @param {ByteWindow} window @returns {Promise<import('./header.js').PhotoHeader | null>} null when the headers are damaged */
export async function readJpeg(window) {
  let exif = noExif;
  let at = 2;
  for (let step = 0; step < segmentLimit; step += 1) {
    const view = await window.view(at, 4);
    if (view === null || view.getUint8(0) !== 0xff) return null;
    const marker = view.getUint8(1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(2);
    if (length < 2) return null;
    if (marker === 0xe1 && exif === noExif) {
      const bytes = await window.read(at + 4, length - 2);
      if (ascii(bytes, 0, 6) === 'Exif\0\0') exif = parseExif(bytes.subarray(6));
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      const frame = await window.view(at + 4, 5);
      return frame && { width: frame.getUint16(3), height: frame.getUint16(1), ...exif, isAnimated: false };
    }
    if (marker === 0xda || marker === 0xd9) return null;
    at += 2 + length;
  }
  return null;
}
