// Knows which engines turn which formats upright by themselves, by asking each with a picture of two pixels.

import { base64ToBytes } from './base64.js';

// Both are 2 x 1 and carry EXIF orientation 6: an engine that heeds it sees 1 x 2.
/** @type {{ [format: string]: { type: string, picture: string } }} */
const probes = {
  png: {
    type: 'image/png',
    picture: 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAGmVYSWZNTQAqAAAACAABARIAAwAAAAEABgAAAAAAANZnS2kAAAAPSURBVHicYzwRoMHAwAAABu4BQkLswdMAAAAASUVORK5CYII=',
  },
  webp: {
    type: 'image/webp',
    picture: 'UklGRlIAAABXRUJQVlA4WAoAAAAIAAAAAQAAAAAAVlA4TBEAAAAvAQAAAAdQqCIXpf+BiOh/AABFWElGGgAAAE1NACoAAAAIAAEBEgADAAAAAQAGAAAAAAAA',
  },
};

/** @type {Map<string, Promise<boolean>>} */
const answers = new Map();

/**
 * @param {import('./formats.js').PhotoFormat} format
 * @param {number} orientation EXIF's 1 to 8
 * @returns {Promise<number>} what is left to do after `createImageBitmap` or `<img>`: 1 where the engine has turned the picture
 */
export async function orientationToApply(format, orientation) {
  if (orientation === 1) return 1;
  const probe = probes[format];
  // Every engine turns JPEG, and GIF, AVIF and HEIC have no EXIF orientation that counts.
  if (probe === undefined) return 1;
  let answer = answers.get(format);
  if (answer === undefined) {
    answer = isTurnedByEngine(probe);
    answers.set(format, answer);
  }
  return (await answer) ? 1 : orientation;
}

/** @param {{ type: string, picture: string }} probe */
async function isTurnedByEngine({ type, picture }) {
  const bytes = base64ToBytes(picture) ?? new Uint8Array(0);
  const bitmap = await createImageBitmap(new Blob([bytes], { type }));
  const isTurned = bitmap.height > bitmap.width;
  bitmap.close();
  return isTurned;
}
