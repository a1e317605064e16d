// Decodes a photo and draws it small and upright, in a worker or on the page alike.

import { orientationToApply } from './orientation.js';
import { thumbnailEdgePixels, thumbnailLimitBytes } from './limits.js';

/** @typedef {{ format: import('./formats.js').PhotoFormat, orientation: number }} DrawingOrder */
/** @typedef {OffscreenCanvas | HTMLCanvasElement} AnyCanvas */

// Large and fine first; each step gives up some of either until the limit is met.
const attempts = [
  { scale: 1, quality: 0.8 },
  { scale: 1, quality: 0.65 },
  { scale: 1, quality: 0.5 },
  { scale: 0.75, quality: 0.6 },
  { scale: 0.5, quality: 0.6 },
  { scale: 0.5, quality: 0.3 },
  { scale: 0.25, quality: 0.3 },
];

/**
 * @param {Blob} blob
 * @param {DrawingOrder} order
 * @param {(width: number, height: number) => AnyCanvas} makeCanvas
 * @returns {Promise<Blob>} at most 480 pixels and 40,000 bytes; rejects when the engine cannot decode the photo
 */
export async function drawThumbnail(blob, { format, orientation }, makeCanvas) {
  const bitmap = await createImageBitmap(blob);
  try {
    return await shrink(bitmap, await orientationToApply(format, orientation), makeCanvas);
  } finally {
    bitmap.close();
  }
}

/**
 * What a picture whose end is missing still shows: elements are more forgiving than `createImageBitmap`.
 * @param {Blob} blob
 * @param {DrawingOrder} order
 * @returns {Promise<Blob>} rejects when there is nothing at all to see
 */
export async function drawRemains(blob, { format, orientation }) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  try {
    await image.decode();
    const makeCanvas = (/** @type {number} */ width, /** @type {number} */ height) => Object.assign(document.createElement('canvas'), { width, height });
    const turn = await orientationToApply(format, orientation);
    if (isEmpty(drawUpright(image, 32 / Math.max(image.width, image.height), turn, makeCanvas))) throw new Error('nothing to see');
    return await shrink(image, turn, makeCanvas);
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** @param {HTMLCanvasElement} canvas */
function isEmpty(canvas) {
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray(0);
  return pixels.every((value, index) => index % 4 !== 3 || value === 0);
}

/** @param {ImageBitmap | HTMLImageElement} picture @param {number} turn @param {(width: number, height: number) => AnyCanvas} makeCanvas */
async function shrink(picture, turn, makeCanvas) {
  for (const { scale, quality } of attempts) {
    const factor = Math.min(1, (thumbnailEdgePixels * scale) / Math.max(picture.width, picture.height));
    const thumbnail = await encode(drawUpright(picture, factor, turn, makeCanvas), quality);
    if (thumbnail.size <= thumbnailLimitBytes) return thumbnail;
  }
  throw new Error('no thumbnail fits its limit');
}

/**
 * @template {AnyCanvas} Canvas
 * @param {ImageBitmap | HTMLImageElement} bitmap @param {number} factor @param {number} turn EXIF's 1 to 8
 * @param {(width: number, height: number) => Canvas} makeCanvas
 */
function drawUpright(bitmap, factor, turn, makeCanvas) {
  const width = Math.max(1, Math.round(bitmap.width * factor));
  const height = Math.max(1, Math.round(bitmap.height * factor));
  const canvas = turn >= 5 ? makeCanvas(height, width) : makeCanvas(width, height);
  const context = /** @type {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D | null} */ (canvas.getContext('2d'));
  if (context === null) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.setTransform(...transformFor(turn, width, height));
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

/**
 * @param {number} turn @param {number} width @param {number} height
 * @returns {[number, number, number, number, number, number]}
 */
export function transformFor(turn, width, height) {
  switch (turn) {
    case 2: return [-1, 0, 0, 1, width, 0];
    case 3: return [-1, 0, 0, -1, width, height];
    case 4: return [1, 0, 0, -1, 0, height];
    case 5: return [0, 1, 1, 0, 0, 0];
    case 6: return [0, 1, -1, 0, height, 0];
    case 7: return [0, -1, -1, 0, height, width];
    case 8: return [0, -1, 1, 0, 0, width];
    default: return [1, 0, 0, 1, 0, 0];
  }
}

/** @param {AnyCanvas} canvas @param {number} quality @returns {Promise<Blob>} */
async function encode(canvas, quality) {
  const webp = await encodeAs(canvas, 'image/webp', quality);
  // An engine without a WebP encoder answers with PNG and does not say so.
  return webp.type === 'image/webp' ? webp : encodeAs(canvas, 'image/jpeg', quality);
}

/** @param {AnyCanvas} canvas @param {string} type @param {number} quality @returns {Promise<Blob>} */
function encodeAs(canvas, type, quality) {
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type, quality });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('not encoded')) : resolve(blob)), type, quality);
  });
}
