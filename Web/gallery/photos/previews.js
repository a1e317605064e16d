// Finds the JPEGs that cameras put into files which most engines cannot decode: for a tile, and for the viewer.

import { ByteWindow } from './byte-window.js';
import { ascii } from './formats.js';
import { boxesIn, findExif } from './heif-header.js';
import { readRaw, startOfJpeg } from './raw.js';
import { judgeExif, orientationAlone } from './strip/exif-remainder.js';

/** An Exif segment stands first, or behind the one of JFIF. */
const headLengthBytes = 64;

/**
 * @param {Blob} blob as the camera wrote it
 * @param {import('./formats.js').PhotoFormat | null} format
 * @returns {Promise<Blob[]>} JPEGs that engines turn upright by themselves, largest first; some may not decode after all; rejects only when the file cannot be read
 */
export async function embeddedPreviews(blob, format) {
  const window = new ByteWindow(blob);
  if (format === 'heic') return heifPreviews(window);
  if (format !== 'raw') return [];
  const facts = await readRaw(window);
  return Promise.all((facts?.previews ?? []).map(({ start, end }) => upright(blob.slice(start, end), facts?.orientation ?? 1)));
}

/** @param {ByteWindow} window */
async function heifPreviews(window) {
  const meta = (await boxesIn(window, 0, window.length)).find((box) => box.name === 'meta');
  const exif = meta ? await findExif(window, await boxesIn(window, meta.at + 4, meta.end)) : null;
  const at = exif === null ? -1 : startOfJpeg(exif);
  if (exif === null || at < 0) return [];
  // Where the JPEG ends its decoder knows; what follows it here does not matter.
  return [turned(new Blob([exif.slice(at)]), judgeExif(exif).remainder)];
}

/** What the sensor saw lies as it saw it, and which way is up is said by the file around it, unless the picture says it itself. @param {Blob} picture @param {number} orientation */
async function upright(picture, orientation) {
  const head = new Uint8Array(await picture.slice(0, headLengthBytes).arrayBuffer());
  return turned(picture, orientation === 1 || ascii(head, 0, head.length).includes('Exif') ? null : orientationAlone(orientation));
}

/** @param {Blob} picture @param {Uint8Array<ArrayBuffer> | null} exif a TIFF structure */
function turned(picture, exif) {
  if (exif === null) return new Blob([picture], { type: 'image/jpeg' });
  const head = new TextEncoder().encode('Exif\0\0');
  const length = 2 + head.length + exif.length;
  const segment = new Uint8Array([0xff, 0xe1, length >> 8, length & 255, ...head, ...exif]);
  return new Blob([picture.slice(0, 2), segment, picture.slice(2)], { type: 'image/jpeg' });
}
