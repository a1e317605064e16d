// A new file as a list of pieces of the old one and a few bytes between them, so that a photo is never read into memory to change it.

/** Bytes as blobs take them. @typedef {Uint8Array<ArrayBuffer>} Bytes */
/**
 * @typedef {'location' | 'exif' | 'xmp' | 'iptc' | 'text' | 'time' | 'preview' | 'pictures' | 'trailer' | 'other'} Removed what was taken out
 * `location`: GPS inside EXIF, always together with `exif`. `text`: comments and descriptions. `preview`: a small picture of the picture.
 * `pictures`: second pictures behind the first one (a gain map, a depth map, the other eye). `trailer`: whatever stood behind the picture's end, like a motion photo's video.
 */
/**
 * @typedef {'damaged' | 'unreadable' | 'unsupported' | 'too-many-parts' | 'exif' | 'xmp' | 'other'} Kept what is still there, or why everything is
 * The first four: the file is what it was. The others: those alone could not be taken out without rewriting the file.
 */
/** @typedef {{ start: number, end: number } | { byte: number, length: number } | Bytes} Piece */

const cutLimit = 16_384;
const fillLengthBytes = 65_536;

export class Pieces {
  /** @type {Piece[]} */
  #pieces = [];
  /** @type {Set<Removed>} */
  removed = new Set();
  /** @type {Set<Kept>} */
  kept = new Set();

  /** More pieces than a file of any camera needs: a stripper that sees this gives up. */
  get isFull() {
    return this.#pieces.length > cutLimit;
  }

  get lengthBytes() {
    return this.#pieces.reduce((sum, piece) => sum + ('start' in piece ? piece.end - piece.start : piece.length), 0);
  }

  /** @param {number} start @param {number} end */
  keep(start, end) {
    if (start >= end) return;
    const last = this.#pieces.at(-1);
    if (last && 'start' in last && last.end === start) last.end = end;
    else this.#pieces.push({ start, end });
  }

  /** The bytes may still be changed until `blobFrom` is called. @param {Bytes} bytes */
  insert(bytes) {
    this.#pieces.push(bytes);
  }

  /** @param {number} byte @param {number} length how often */
  fill(byte, length) {
    if (length > 0) this.#pieces.push({ byte, length });
  }

  /** @param {...Removed} what was left out, here or elsewhere */
  drop(...what) {
    for (const name of what) this.removed.add(name);
  }

  /** @param {Blob} blob the old file @returns {Blob} the new one */
  blobFrom(blob) {
    /** @type {Map<number, Blob>} */
    const fillers = new Map();
    /** @type {BlobPart[]} */
    const parts = [];
    for (const piece of this.#pieces) {
      if ('start' in piece) parts.push(blob.slice(piece.start, piece.end));
      else if ('byte' in piece) {
        const filler = fillers.get(piece.byte) ?? new Blob([new Uint8Array(fillLengthBytes).fill(piece.byte)]);
        fillers.set(piece.byte, filler);
        // One blob named many times takes the room of one.
        for (let left = piece.length; left > 0; left -= fillLengthBytes) parts.push(left < fillLengthBytes ? filler.slice(0, left) : filler);
      } else parts.push(piece);
    }
    return new Blob(parts, { type: blob.type });
  }
}
