// Reads what RAW and TIFF files say of themselves, and where the pictures lie that their cameras have developed already.

import { ByteWindow } from './byte-window.js';
import { parseDate } from './exif.js';
import { ascii } from './formats.js';
import { boxesIn } from './heif-header.js';
import { readJpeg } from './jpeg-header.js';
import { readDirectories } from './tiff.js';

/** @typedef {{ start: number, end: number }} Place */
/** @typedef {import('./header.js').PhotoHeader & { previews: Place[] }} RawFacts `previews`: where a JPEG may lie, largest first */

const tags = Object.freeze({
  width: 0x0100, height: 0x0101, compression: 0x0103, strips: 0x0111, orientation: 0x0112, stripLengths: 0x0117, dateTime: 0x0132,
  jpegAt: 0x0201, jpegLength: 0x0202, panasonicJpeg: 0x002e, dateTimeOriginal: 0x9003, offsetTimeOriginal: 0x9011,
});
const jpegCompressions = new Set([6, 7, 34892]);
const previewLimitBytes = 32_000_000;
const previewLimit = 4;

/**
 * @param {ByteWindow} window
 * @returns {Promise<RawFacts | null>} null when the headers are damaged
 */
export async function readRaw(window) {
  const head = ascii(await window.read(0, 16), 0, 16);
  if (head.startsWith('FUJIFILM')) return readFujifilm(window);
  return head.slice(4, 8) === 'ftyp' ? readCanon(window) : readTiff(window);
}

/** @param {ByteWindow} window @returns {Promise<RawFacts | null>} */
async function readTiff(window) {
  const directories = await readDirectories(window);
  const [first] = directories;
  if (first === undefined) return null;
  /** @type {Place[]} */
  const previews = [];
  let size = { width: 0, height: 0 };
  let [taken, zone, dated] = ['', '', ''];
  for (const directory of directories) {
    const [width, height] = [await directory.number(tags.width), await directory.number(tags.height)];
    // The first directory is often that of a small picture.
    if (width * height > size.width * size.height) size = { width, height };
    previews.push(...(await jpegsOf(directory)));
    taken ||= await directory.text(tags.dateTimeOriginal);
    zone ||= await directory.text(tags.offsetTimeOriginal);
    dated ||= await directory.text(tags.dateTime);
  }
  const usable = usablePlaces(previews, window.length);
  if (size.width === 0) size = (await sizeOfFirst(window, usable)) ?? size;
  const orientation = await first.number(tags.orientation);
  return { ...size, orientation: orientation >= 1 && orientation <= 8 ? orientation : 1, takenAt: parseDate(taken || dated, zone), isAnimated: false, previews: usable };
}

/** @param {import('./tiff.js').TiffDirectory} directory @returns {Promise<Place[]>} */
async function jpegsOf(directory) {
  const found = [];
  const [at, length] = [await directory.number(tags.jpegAt), await directory.number(tags.jpegLength)];
  if (at > 0 && length > 0) found.push({ start: at, end: at + length });
  const [strips, lengths] = [await directory.numbers(tags.strips, 2), await directory.numbers(tags.stripLengths, 2)];
  const [start = 0] = strips;
  if (strips.length === 1 && lengths.length === 1 && jpegCompressions.has(await directory.number(tags.compression))) found.push({ start, end: start + (lengths[0] ?? 0) });
  const inside = directory.entry(tags.panasonicJpeg);
  if (inside && inside.count > 4) found.push({ start: inside.at, end: inside.at + inside.count });
  return found;
}

/** @param {ByteWindow} window @returns {Promise<RawFacts | null>} */
async function readFujifilm(window) {
  const view = await window.view(84, 8);
  if (view === null) return null;
  const previews = usablePlaces([{ start: view.getUint32(0), end: view.getUint32(0) + view.getUint32(4) }], window.length);
  const [place] = previews;
  // The developed picture inside says of itself what the camera noted.
  const header = place ? await readJpeg(new ByteWindow(window.blob.slice(place.start, place.end))) : null;
  return header && { ...header, previews };
}

/** @param {ByteWindow} window @returns {Promise<RawFacts | null>} */
async function readCanon(window) {
  const top = await boxesIn(window, 0, window.length);
  const film = top.find(({ name }) => name === 'moov');
  const inside = film ? await boxesIn(window, film.at, film.end) : [];
  const notes = await Promise.all(inside.filter(({ name }) => name === 'uuid').map(({ at, end }) => boxesIn(window, at + 16, end)));
  const [main, detail] = ['CMT1', 'CMT2'].map((name) => notes.flat().find((box) => box.name === name));
  const facts = main ? await readTiff(new ByteWindow(window.blob.slice(main.at, main.end))) : null;
  if (facts === null) return null;
  const when = detail ? await readTiff(new ByteWindow(window.blob.slice(detail.at, detail.end))) : null;
  const places = [];
  for (const { at, end } of top.filter(({ name }) => name === 'uuid')) {
    const start = startOfJpeg(await window.read(at, 256));
    if (start >= 0) places.push({ start: at + start, end });
  }
  return { ...facts, takenAt: when?.takenAt ?? facts.takenAt, previews: usablePlaces(places, window.length) };
}

/** @param {Place[]} places @param {number} length of the file */
function usablePlaces(places, length) {
  const fitting = places.filter(({ start, end }) => start > 0 && end > start && end <= length && end - start <= previewLimitBytes);
  return fitting.toSorted((a, b) => b.end - b.start - (a.end - a.start)).slice(0, previewLimit);
}

/** @param {ByteWindow} window @param {Place[]} places */
async function sizeOfFirst(window, [place]) {
  return place ? readJpeg(new ByteWindow(window.blob.slice(place.start, place.end))).then((header) => header && { width: header.width, height: header.height }) : null;
}

/** @param {Uint8Array} bytes @returns {number} where a JPEG begins in them; -1 where none does */
export function startOfJpeg(bytes) {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === 0xd8 && bytes[at + 2] === 0xff) return at;
  }
  return -1;
}
