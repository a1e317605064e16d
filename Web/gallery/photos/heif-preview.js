// Finds the small JPEG that some cameras put into a HEIC's EXIF, for engines that cannot decode HEVC.

import { ByteWindow } from './byte-window.js';
import { boxesIn, findExif } from './heif-header.js';
import { judgeExif } from './strip/exif-remainder.js';

/**
 * @param {Blob} blob a HEIC as the camera wrote it
 * @returns {Promise<Blob | null>} a JPEG that engines turn upright by themselves; null where there is none; rejects only when the file cannot be read
 */
export async function embeddedPreview(blob) {
  const window = new ByteWindow(blob);
  const meta = (await boxesIn(window, 0, window.length)).find((box) => box.name === 'meta');
  const exif = meta ? await findExif(window, await boxesIn(window, meta.at + 4, meta.end)) : null;
  if (exif === null) return null;
  const at = startOfJpeg(exif);
  if (at < 0) return null;
  // Where the JPEG ends its decoder knows; what follows it here does not matter.
  return new Blob([new Uint8Array([0xff, 0xd8]), orientationSegment(exif), exif.slice(at + 2)], { type: 'image/jpeg' });
}

/** It lies as the sensor saw it, and which way is up is said by the EXIF around it. @param {Uint8Array} exif @returns {Uint8Array<ArrayBuffer>} */
function orientationSegment(exif) {
  const { remainder } = judgeExif(exif);
  if (remainder === null) return new Uint8Array(0);
  const head = new TextEncoder().encode('Exif\0\0');
  const length = 2 + head.length + remainder.length;
  return new Uint8Array([0xff, 0xe1, length >> 8, length & 255, ...head, ...remainder]);
}

/** @param {Uint8Array} bytes */
function startOfJpeg(bytes) {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xd8 && bytes[at + 2] === 0xff) return at;
  }
  return -1;
}
