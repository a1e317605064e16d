// Arranges photos in rows of equal width, as a value: each in its own shape, none cropped but the very long and the very thin.

const narrowest = 0.45;
const widest = 3.6;

/** @typedef {{ width: number, height: number }} Size */

/**
 * @param {Size} photo in pixels; zeros where they are not known
 * @returns {number} width by height, as it is shown in the grid
 */
export function aspectOf({ width, height }) {
  if (width === 0 || height === 0) return 4 / 3;
  return Math.min(widest, Math.max(narrowest, width / height));
}

/**
 * A photo that comes later changes the last row and no other.
 * @param {readonly number[]} aspects
 * @param {{ width: number, rowHeight: number, gap: number }} room in CSS pixels; `rowHeight` is aimed at, and the last row keeps to it
 * @returns {Size[]}
 */
export function justify(aspects, { width, rowHeight, gap }) {
  /** @type {Size[]} */
  const sizes = [];
  let row = /** @type {number[]} */ ([]);
  const heightOf = (/** @type {number[]} */ members) => (width - gap * (members.length - 1)) / members.reduce((sum, aspect) => sum + aspect, 0);
  const close = (/** @type {number} */ limit) => {
    if (row.length === 0) return;
    const height = Math.max(1, Math.min(heightOf(row), limit));
    // Rounded down, or a fraction of a pixel pushes the last one into the next row.
    for (const aspect of row) sizes.push({ width: Math.floor(aspect * height * 100) / 100, height: Math.floor(height * 100) / 100 });
    row = [];
  };

  for (const aspect of aspects) {
    const longer = heightOf([...row, aspect]);
    if (longer < rowHeight && row.length > 0 && rowHeight / longer > heightOf(row) / rowHeight) close(Infinity);
    row.push(aspect);
    if (heightOf(row) <= rowHeight) close(Infinity);
  }
  close(rowHeight);
  return sizes;
}
