// Overwrites places of a file in their own length, for formats in which nothing may move.

/** @typedef {import('../byte-window.js').ByteWindow} ByteWindow */
/** @typedef {import('./pieces.js').Bytes} Bytes */
/** @typedef {{ start: number, end: number, head: Bytes, fill: number, removed: import('./pieces.js').Removed[] }} Patch `head`, then `fill` up to the end */

const pieceLengthBytes = 65_536;

/** @param {Patch[]} patches @returns {boolean} */
export function doOverlap(patches) {
  const sorted = patches.toSorted((left, right) => left.start - right.start);
  return sorted.some((patch, index) => index > 0 && patch.start < sorted[index - 1].end);
}

/**
 * @param {ByteWindow} window @param {Patch} patch
 * @returns {Promise<boolean>} whether the file says there what the patch would write
 */
export async function isApplied(window, { start, end, head, fill }) {
  for (let at = start; at < end; at += pieceLengthBytes) {
    const bytes = await window.read(at, Math.min(pieceLengthBytes, end - at));
    const first = at - start;
    if (bytes.some((byte, index) => byte !== (head[first + index] ?? fill))) return false;
  }
  return true;
}

/** @param {import('./pieces.js').Pieces} pieces @param {Patch[]} patches that do not overlap @param {number} end of the new file */
export function write(pieces, patches, end) {
  let at = 0;
  for (const patch of patches.toSorted((left, right) => left.start - right.start)) {
    pieces.keep(at, patch.start);
    pieces.insert(patch.head);
    pieces.fill(patch.fill, patch.end - patch.start - patch.head.length);
    pieces.drop(...patch.removed);
    at = patch.end;
  }
  pieces.keep(at, end);
}
