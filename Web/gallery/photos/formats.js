// Tells what a picture is from its first bytes, because names and declared types are claims by strangers.

/** @typedef {'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'raw'} PhotoFormat */

/** How many bytes from the start `detectFormat` wants to see. */
export const formatHeadLengthBytes = 64;

/**
 * What follows from a format. The first extension is the usual one.
 * `isAlwaysShown`: every engine that this page runs in decodes it, so a picture that does not decode is damaged.
 * @type {Readonly<Record<PhotoFormat, { type: string, title: string, extensions: readonly string[], isAlwaysShown: boolean }>>}
 */
export const formats = Object.freeze({
  jpeg: { type: 'image/jpeg', title: 'JPEG', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'], isAlwaysShown: true },
  png: { type: 'image/png', title: 'PNG', extensions: ['png', 'apng'], isAlwaysShown: true },
  webp: { type: 'image/webp', title: 'WebP', extensions: ['webp'], isAlwaysShown: true },
  gif: { type: 'image/gif', title: 'GIF', extensions: ['gif'], isAlwaysShown: true },
  avif: { type: 'image/avif', title: 'AVIF', extensions: ['avif', 'avifs'], isAlwaysShown: false },
  heic: { type: 'image/heic', title: 'HEIC', extensions: ['heic', 'heif', 'hif'], isAlwaysShown: false },
  raw: {
    type: 'image/tiff', title: 'RAW', isAlwaysShown: false,
    extensions: ['tif', 'tiff', 'dng', 'cr2', 'cr3', 'nef', 'nrw', 'arw', 'sr2', 'srf', 'raf', 'orf', 'rw2', 'rwl', 'pef', 'srw', '3fr', 'fff', 'iiq', 'erf'],
  },
});

/** TIFF, which most cameras build upon, and what Olympus and Panasonic made of it. */
const rawBeginnings = new Set(['II*\0', 'MM\0*', 'IIRO', 'IIRS', 'MMOR', 'IIU\0']);
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);

/**
 * @param {Uint8Array} bytes the beginning of the file
 * @returns {PhotoFormat | null} null for whatever is not a picture this gallery takes
 */
export function detectFormat(bytes) {
  if (startsWith(bytes, 0, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  const magic = ascii(bytes, 0, 6);
  if (magic === 'GIF87a' || magic === 'GIF89a') return 'gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'webp';
  if (ascii(bytes, 4, 4) === 'ftyp') return detectBrand(bytes);
  return rawBeginnings.has(ascii(bytes, 0, 4)) || ascii(bytes, 0, 15) === 'FUJIFILMCCD-RAW' ? 'raw' : null;
}

/** @param {Uint8Array} bytes @returns {PhotoFormat | null} */
function detectBrand(bytes) {
  const length = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length);
  const brands = [ascii(bytes, 8, 4)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(ascii(bytes, at, 4));
  if (brands.includes('avif') || brands.includes('avis')) return 'avif';
  if (brands[0] === 'crx ') return 'raw';
  if (brands.some((brand) => heicBrands.has(brand))) return 'heic';
  return brands[0] === 'mif1' || brands[0] === 'msf1' ? 'heic' : null;
}

const filmBrands = /^(qt {2}|mp4|isom|iso[2-9]|M4V|avc1|3g[p2]|mmp4|f4v|dash|MSNV|XAVC)/;

/**
 * @param {Uint8Array} bytes the beginning of a file that is no picture
 * @returns {boolean} whether it is a film: people choose them along with photos, above all the moving part of a Live Photo
 */
export function isFilm(bytes) {
  const name = ascii(bytes, 4, 4);
  if (name === 'ftyp') return filmBrands.test(ascii(bytes, 8, 4));
  return ['moov', 'mdat', 'wide'].includes(name) || startsWith(bytes, 0, [0x1a, 0x45, 0xdf, 0xa3]) || (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'AVI ');
}

/** @param {Uint8Array} bytes @param {number} at @param {number[]} expected */
function startsWith(bytes, at, expected) {
  return expected.every((byte, index) => bytes[at + index] === byte);
}

/**
 * @param {Uint8Array} bytes @param {number} at @param {number} length
 * @returns {string} one character for each byte that is there
 */
export function ascii(bytes, at, length) {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
