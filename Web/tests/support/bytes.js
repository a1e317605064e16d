// Bytes as the vectors write them, and every way to spoil one of them.

/** @param {string} text */
export function hex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Each copy of `bytes` in which one byte is another. @param {Uint8Array} bytes */
export function* flips(bytes) {
  for (let index = 0; index < bytes.length; index += 1) {
    const flipped = new Uint8Array(bytes);
    flipped[index] ^= 1 << index % 8;
    yield { index, flipped };
  }
}

/** @param {number} length @param {number} [first] */
export function counting(length, first = 0) {
  return Uint8Array.from({ length }, (_, index) => (first + index) & 0xff);
}
