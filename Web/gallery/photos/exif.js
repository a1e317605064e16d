// Reads the two facts of EXIF that a gallery needs, which way is up and when it was taken, and nothing else.

/**
 * @typedef {{ orientation: number, takenAt: string | null }} ExifFacts
 * `orientation` 1 to 8; `takenAt` as `2024-05-01T12:30:00`, with `+02:00` behind it where the camera noted its time zone.
 */

/** @type {Readonly<ExifFacts>} */
export const noExif = Object.freeze({ orientation: 1, takenAt: null });

const tagOrientation = 0x0112;
const tagDateTime = 0x0132;
const tagExifDirectory = 0x8769;
const tagDateTimeOriginal = 0x9003;
const tagOffsetTimeOriginal = 0x9011;
const entryLimit = 512;

/**
 * @param {Uint8Array} bytes a TIFF structure, as EXIF embeds it; anything else gives `noExif`
 * @returns {ExifFacts}
 */
export function parseExif(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8) return noExif;
  const order = view.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return noExif;
  const little = order === 0x4949;
  if (view.getUint16(2, little) !== 42) return noExif;

  const main = readDirectory(view, view.getUint32(4, little), little);
  const pointer = main.get(tagExifDirectory);
  const detail = pointer === undefined ? new Map() : readDirectory(view, view.getUint32(pointer + 8, little), little);

  const orientationAt = main.get(tagOrientation);
  const orientation = orientationAt === undefined ? 1 : view.getUint16(orientationAt + 8, little);
  const taken = readText(view, detail.get(tagDateTimeOriginal), little) ?? readText(view, main.get(tagDateTime), little);
  const zone = readText(view, detail.get(tagOffsetTimeOriginal), little);
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    takenAt: taken === null ? null : parseDate(taken, zone),
  };
}

/**
 * @param {DataView} view @param {number} at @param {boolean} little
 * @returns {Map<number, number>} where the entry of each tag stands
 */
function readDirectory(view, at, little) {
  const entries = new Map();
  if (at + 2 > view.byteLength) return entries;
  const count = Math.min(view.getUint16(at, little), entryLimit);
  for (let index = 0; index < count; index += 1) {
    const entry = at + 2 + index * 12;
    if (entry + 12 > view.byteLength) break;
    entries.set(view.getUint16(entry, little), entry);
  }
  return entries;
}

/** @param {DataView} view @param {number | undefined} entry @param {boolean} little @returns {string | null} */
function readText(view, entry, little) {
  if (entry === undefined || view.getUint16(entry + 2, little) !== 2) return null;
  const length = view.getUint32(entry + 4, little);
  if (length > 64) return null;
  const at = length <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
  if (at + length > view.byteLength) return null;
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  return String.fromCharCode(...bytes).replace(/\0[^]*$/, '').trim();
}

/** @param {string} text @param {string | null} zone `+02:00`, anything else for none @returns {string | null} */
export function parseDate(text, zone) {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(text);
  if (!parts) return null;
  const local = `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}`;
  if (!isCalendarDate(local)) return null;
  return zone !== null && /^[+-]\d\d:\d\d$/.test(zone) ? local + zone : local;
}

/**
 * @param {string} local `2024-05-01T12:30:00`
 * @returns {boolean} false for what no calendar has, like the zeros that cameras write when their clock is not set
 */
export function isCalendarDate(local) {
  const date = new Date(`${local}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(local) && date.getUTCFullYear() >= 1800;
}
