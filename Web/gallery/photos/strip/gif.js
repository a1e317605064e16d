// Leaves of a GIF's blocks those that draw, time and repeat it, and cuts the file where it says that it ends.

/** @typedef {import('../byte-window.js').ByteWindow} ByteWindow */

const blockLimit = 1_048_576;
const pieceLengthBytes = 65_536;

/** Extensions of applications that change how a GIF looks: how often it repeats, and its colour profile. */
const looks = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** @type {import('./strip-metadata.js').Stripper} */
export async function stripGif(window, pieces) {
  const screen = await window.view(0, 13);
  if (screen === null) return 'damaged';
  let at = 13 + colorTableLength(screen.getUint8(10));
  let hasPicture = false;
  pieces.keep(0, Math.min(at, window.length));
  for (let step = 0; step < blockLimit && !pieces.isFull; step += 1) {
    const [kind, label, , ...name] = await window.read(at, 14);
    if (kind === 0x3b || (kind === undefined && at === window.length)) {
      if (!hasPicture) return 'damaged';
      pieces.keep(at, Math.min(at + 1, window.length));
      if (at + 1 < window.length) pieces.drop('trailer');
      return null;
    }
    const blocks = kind === 0x21 ? at + 2 : kind === 0x2c ? await pixelsStart(window, at) : null;
    const end = blocks === null ? null : await blocksEnd(window, blocks);
    if (end === null) return 'damaged';
    if (kind === 0x2c) hasPicture = true;
    const unneeded = kind === 0x21 ? unneededName(label, String.fromCharCode(...name)) : null;
    if (unneeded === null) pieces.keep(at, end);
    else pieces.drop(unneeded);
    at = end;
  }
  return 'too-many-parts';
}

/** @param {number} label @param {string} name @returns {import('./pieces.js').Removed | null} null for an extension that stays */
function unneededName(label, name) {
  if (label === 0xf9 || label === 0x01) return null;
  if (label === 0xfe) return 'text';
  if (label !== 0xff) return 'other';
  if (looks.has(name)) return null;
  return name === 'XMP DataXMP' ? 'xmp' : 'other';
}

/** @param {ByteWindow} window @param {number} at @returns {Promise<number | null>} where the blocks of a picture's pixels begin */
async function pixelsStart(window, at) {
  const descriptor = await window.view(at, 10);
  return descriptor && at + 11 + colorTableLength(descriptor.getUint8(9));
}

/**
 * @param {ByteWindow} window @param {number} start
 * @returns {Promise<number | null>} behind the empty block that ends a row of blocks; null where the file ends before
 */
async function blocksEnd(window, start) {
  let at = start;
  while (at < window.length) {
    const bytes = await window.read(at, pieceLengthBytes);
    let index = 0;
    while (index < bytes.length) {
      if (bytes[index] === 0) return at + index + 1;
      index += 1 + bytes[index];
    }
    at += index;
  }
  return null;
}

/** @param {number} flags */
function colorTableLength(flags) {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}
