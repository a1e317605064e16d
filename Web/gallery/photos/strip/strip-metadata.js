// Takes place, device and whatever else a camera wrote beside the picture out of a file, without touching the picture.

import { ByteWindow } from '../byte-window.js';
import { detectFormat, formatHeadLengthBytes } from '../formats.js';
import { stripGif } from './gif.js';
import { stripHeif } from './heif.js';
import { stripJpeg } from './jpeg.js';
import { Pieces } from './pieces.js';
import { stripPng } from './png.js';
import { stripWebp } from './webp.js';

/** @typedef {import('./pieces.js').Removed} Removed */
/** @typedef {import('./pieces.js').Kept} Kept */
/**
 * A stripper fills `pieces` and answers null, or says why the file has to stay as it is. It may only reject when the file cannot be read.
 * @typedef {(window: ByteWindow, pieces: Pieces) => Promise<Kept | null>} Stripper
 */

/** @type {Readonly<Record<import('../formats.js').PhotoFormat, Stripper>>} */
const strippers = { jpeg: stripJpeg, png: stripPng, webp: stripWebp, gif: stripGif, avif: stripHeif, heic: stripHeif, raw: async () => 'unsupported' };

/**
 * Never rejects. The pixels, the orientation and the colour profile stay; a file with nothing to take out comes back as the same object, and so does one that cannot be understood, with the reason in `kept`.
 * An empty `kept` means that nothing of what this knows is left. Reads the file through a small window; the new blob refers to pieces of the old one.
 * @param {Blob} blob judged by its content alone
 * @returns {Promise<{ blob: Blob, removed: Removed[], kept: Kept[] }>}
 */
export async function stripMetadata(blob) {
  const pieces = new Pieces();
  const reason = await fill(pieces, blob).catch(() => /** @type {Kept} */ ('unreadable'));
  if (reason !== null) return { blob, removed: [], kept: [reason] };
  const removed = [...pieces.removed];
  return { blob: removed.length === 0 ? blob : pieces.blobFrom(blob), removed, kept: [...pieces.kept] };
}

/** @param {Pieces} pieces @param {Blob} blob @returns {Promise<Kept | null>} */
async function fill(pieces, blob) {
  const window = new ByteWindow(blob);
  const head = await window.read(0, formatHeadLengthBytes);
  // The brands of a picture lie in its first box; shorter than one there is nothing to judge.
  const format = head.length < 12 ? null : detectFormat(head);
  if (format === null) return 'unsupported';
  const reason = await strippers[format](window, pieces);
  return reason === null && pieces.isFull ? 'too-many-parts' : reason;
}
