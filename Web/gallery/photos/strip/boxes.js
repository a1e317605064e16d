// Walks the boxes of an ISO media file strictly: what is to be overwritten in place has to be understood first.

/** @typedef {import('../byte-window.js').ByteWindow} ByteWindow */
/** @typedef {{ name: string, start: number, at: number, end: number }} Box `at` is where its content begins */

const boxLimit = 4_096;

/**
 * @param {ByteWindow} window @param {number} start @param {number} end
 * @returns {Promise<Box[] | null>} null where the boxes do not fill the room exactly, or are more than any picture has
 */
export async function boxesIn(window, start, end) {
  /** @type {Box[]} */
  const boxes = [];
  let at = start;
  while (at < end) {
    const view = at + 8 > end ? null : await window.view(at, 8);
    if (view === null || boxes.length === boxLimit) return null;
    let length = view.getUint32(0);
    let head = 8;
    if (length === 1) {
      const wide = at + 16 > end ? null : await window.view(at + 8, 8);
      if (wide === null) return null;
      length = Number(wide.getBigUint64(0));
      head = 16;
    } else if (length === 0) length = end - at;
    if (length < head || length > end - at) return null;
    boxes.push({ name: fourCharacters(view, 4), start: at, at: at + head, end: at + length });
    at += length;
  }
  return boxes;
}

/** @param {DataView} view @param {number} at */
export function fourCharacters(view, at) {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
}
