// Builds the smallest files that have the headers which the gallery reads, for its tests.

/** @param {...(string | number[] | Uint8Array)} pieces text becomes one byte for each character */
export function bytes(...pieces) {
  return Uint8Array.from(pieces.flatMap((piece) => (typeof piece === 'string' ? [...piece].map((each) => each.charCodeAt(0)) : [...piece])));
}

/** @param {number} value @param {number} length @param {boolean} [little] */
export function integer(value, length, little = false) {
  const result = Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);
  return little ? result.toReversed() : result;
}

/**
 * @param {{ orientation?: number, takenAt?: string, zone?: string, little?: boolean }} facts `takenAt` in EXIF's own writing
 */
export function tiff({ orientation = 1, takenAt = '', zone = '', little = false }) {
  const number = (/** @type {number} */ value, /** @type {number} */ length) => integer(value, length, little);
  const details = [...(takenAt ? [{ tag: 0x9003, text: `${takenAt}\0` }] : []), ...(zone ? [{ tag: 0x9011, text: `${zone}\0` }] : [])];
  const detailAt = 8 + 2 + 2 * 12 + 4;
  let textAt = detailAt + 2 + details.length * 12 + 4;
  const entries = details.map(({ tag, text }) => {
    const entry = [...number(tag, 2), ...number(2, 2), ...number(text.length, 4), ...number(textAt, 4)];
    textAt += text.length;
    return entry;
  });
  return bytes(
    little ? 'II' : 'MM', number(42, 2), number(8, 4),
    number(2, 2), number(0x112, 2), number(3, 2), number(1, 4), number(orientation, 2), [0, 0], number(0x8769, 2), number(4, 2), number(1, 4), number(detailAt, 4), number(0, 4),
    number(details.length, 2), entries.flat(), number(0, 4), details.map(({ text }) => text).join(''),
  );
}

/** @param {{ width?: number, height?: number, exif?: Uint8Array }} facts */
export function jpeg({ width = 400, height = 300, exif }) {
  const segment = exif ? bytes([0xff, 0xe1], integer(exif.length + 8, 2), 'Exif\0\0', exif) : [];
  const frame = bytes([0xff, 0xc0], integer(17, 2), [8], integer(height, 2), integer(width, 2), [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
  return bytes([0xff, 0xd8, 0xff, 0xe0], integer(4, 2), [0, 0], segment, frame, [0xff, 0xd9]);
}

/** @param {string} name @param {ArrayLike<number>} content */
function chunk(name, content) {
  return bytes(integer(content.length, 4), name, Array.from(content), [0, 0, 0, 0]);
}

/** @param {{ width?: number, height?: number, exif?: Uint8Array, isAnimated?: boolean }} facts */
export function png({ width = 400, height = 300, exif, isAnimated = false }) {
  return bytes(
    [0x89], 'PNG\r\n', [0x1a, 0x0a], chunk('IHDR', bytes(integer(width, 4), integer(height, 4), [8, 2, 0, 0, 0])),
    isAnimated ? chunk('acTL', new Uint8Array(8)) : [], chunk('IDAT', new Uint8Array(40)), exif ? chunk('eXIf', exif) : [], chunk('IEND', []),
  );
}

/** @param {{ width?: number, height?: number, exif?: Uint8Array, isAnimated?: boolean }} facts */
export function webp({ width = 400, height = 300, exif, isAnimated = false }) {
  const riff = (/** @type {string} */ name, /** @type {ArrayLike<number>} */ content) =>
    bytes(name, integer(content.length, 4, true), Array.from(content), content.length % 2 ? [0] : []);
  const flags = (exif ? 8 : 0) | (isAnimated ? 2 : 0);
  const head = riff('VP8X', bytes([flags, 0, 0, 0], integer(width - 1, 3, true), integer(height - 1, 3, true)));
  const content = bytes('WEBP', head, riff('VP8 ', new Uint8Array(31)), exif ? riff('EXIF', exif) : []);
  return bytes('RIFF', integer(content.length, 4, true), content);
}

/** @param {{ width?: number, height?: number, frameCount?: number }} facts */
export function gif({ width = 400, height = 300, frameCount = 1 }) {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 0x01, 0];
  return bytes('GIF89a', integer(width, 2, true), integer(height, 2, true), [0, 0, 0], Array.from({ length: frameCount }, () => frame).flat(), [0x3b]);
}

/** @param {string} name @param {...(number[] | Uint8Array)} content */
function box(name, ...content) {
  const inside = bytes(...content);
  return bytes(integer(inside.length + 8, 4), name, inside);
}

/** @param {{ width?: number, height?: number, quarterTurns?: number, brand?: string }} facts */
export function heif({ width = 400, height = 300, quarterTurns = 0, brand = 'heic' }) {
  const size = (/** @type {number} */ across, /** @type {number} */ down) => box('ispe', [0, 0, 0, 0], integer(across, 4), integer(down, 4));
  const properties = box('ipco', size(160, 120), size(width, height), box('irot', [quarterTurns]));
  return bytes(box('ftyp', bytes('mif1'), [0, 0, 0, 0], bytes(brand)), box('meta', [0, 0, 0, 0], box('iprp', properties)));
}
