// Decides whether a file is a photo this gallery takes, from its size and its headers, before anything is decoded or sent.

import { ByteWindow } from './byte-window.js';
import { detectFormat, formatHeadLengthBytes, formats, isFilm } from './formats.js';
import { readHeader } from './header.js';
import { decodeLimitPixels, photoLimitBytes } from './limits.js';

/**
 * @typedef {object} PhotoFacts
 * @property {import('./formats.js').PhotoFormat} format
 * @property {string} type MIME type by content
 * @property {number} width as seen, turned upright
 * @property {number} height
 * @property {number} orientation EXIF's 1 to 8
 * @property {string | null} takenAt
 * @property {boolean} isAnimated
 * @property {boolean} isTooLargeToDecode its header declares more pixels than a page should unpack
 */
/** @typedef {{ code: 'empty' | 'too-large' | 'not-a-picture' | 'video' | 'damaged' | 'unreadable', limit?: number, value?: number }} Refusal */

/**
 * Never rejects.
 * @param {Blob} blob
 * @returns {Promise<{ facts: PhotoFacts, refusal?: undefined } | { facts?: undefined, refusal: Refusal }>}
 */
export async function inspectPhoto(blob) {
  if (blob.size === 0) return { refusal: { code: 'empty' } };
  if (blob.size > photoLimitBytes) return { refusal: { code: 'too-large', limit: photoLimitBytes, value: blob.size } };
  try {
    const window = new ByteWindow(blob);
    const head = await window.read(0, formatHeadLengthBytes);
    const format = detectFormat(head);
    if (format === null) return { refusal: { code: isFilm(head) ? 'video' : 'not-a-picture' } };
    const header = await readHeader(format, window);
    if (header === null) return { refusal: { code: 'damaged' } };
    const isTurned = header.orientation >= 5;
    return {
      facts: {
        format,
        type: formats[format].type,
        width: isTurned ? header.height : header.width,
        height: isTurned ? header.width : header.height,
        orientation: header.orientation,
        takenAt: header.takenAt,
        isAnimated: header.isAnimated,
        isTooLargeToDecode: header.width * header.height > decodeLimitPixels,
      },
    };
  } catch {
    return { refusal: { code: 'unreadable' } };
  }
}
