// Blanks the EXIF, XMP and texts of AVIF and HEIC where they lie: everything in these files is found by its place, so nothing moves.

import { boxesIn, fourCharacters } from './boxes.js';
import { exifLimitBytes, judgeExif } from './exif-remainder.js';
import { readItems } from './heif-items.js';
import { doOverlap, isApplied, write } from './patches.js';

/** @typedef {import('../byte-window.js').ByteWindow} ByteWindow */
/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('./heif-items.js').Item} Item */
/** @typedef {import('./patches.js').Patch} Patch */
/** @typedef {import('./pieces.js').Removed} Removed */
/** @typedef {import('./pieces.js').Kept} Kept */

const encoder = new TextEncoder();
const nothing = new Uint8Array(0);
/** An EXIF item without any entry: readers that insist on a TIFF structure find one. Which way is up is a property of the picture in these formats. */
const emptyExif = Uint8Array.of(0, 0, 0, 0, 0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0);
const emptyXmp = encoder.encode('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
const space = 0x20;
const noteLimit = 64;

const needed = new Set(['ftyp', 'styp', 'meta', 'mdat', 'moov', 'moof', 'mfra', 'sidx', 'ssix', 'prft', 'free', 'skip', 'wide', 'pdin', 'emsg']);
const textProperties = new Set(['udes', 'altt']);

/** @type {import('./strip-metadata.js').Stripper} */
export async function stripHeif(window, pieces) {
  const top = await boxesIn(window, 0, window.length);
  if (top === null) return 'damaged';
  if (!top.some((box) => box.name === 'meta' || box.name === 'moov')) return 'unsupported';
  /** @type {Box[]} */
  const stores = top.filter((box) => box.name === 'mdat');
  // Without the box that a movie's tables point into its pictures may lie anywhere.
  if (stores.length === 0 && top.some((box) => box.name === 'moov')) return 'damaged';
  /** @type {Patch[]} */
  const patches = [];
  /** @type {Item[]} */
  const items = [];
  const movie = await notesInMovie(window, top);
  if (movie === null) return 'damaged';
  if (movie.hasTrackOfNotes) pieces.kept.add('other');
  for (const meta of [...top.filter((box) => box.name === 'meta'), ...movie.metas]) {
    const parts = await boxesIn(window, meta.at + 4, meta.end);
    const found = parts && (await readItems(window, parts));
    const texts = parts && (await textPatches(window, parts));
    if (!parts || !found || !texts) return 'damaged';
    for (const item of found) items.push(item);
    stores.push(...parts.filter((box) => box.name === 'idat'));
    patches.push(...texts);
  }
  let noteCount = 0;
  for (const item of items) {
    const name = nameOf(item);
    if (name === null) continue;
    noteCount += 1;
    const isBeyond = name === 'unknown' || noteCount > noteLimit;
    const itemPatches = isBeyond ? null : await blank(window, item, name, items, stores);
    if (itemPatches === null) pieces.kept.add(name === 'exif' || name === 'xmp' ? name : 'other');
    else patches.push(...itemPatches.filter((patch) => !patches.some(({ start, end }) => start === patch.start && end === patch.end)));
  }
  const last = top.findLastIndex((box) => needed.has(box.name));
  const hasTrailer = last + 1 < top.length && !isUsed(items, { start: top[last].end, end: window.length });
  const strangers = top.slice(0, hasTrailer ? last : top.length).filter((box) => !needed.has(box.name));
  for (const [index, box] of [...movie.notes, ...strangers].entries()) {
    if (index >= noteLimit || isUsed(items, box)) pieces.kept.add('other');
    else patches.push(...freed(box));
  }
  if (hasTrailer) pieces.drop('trailer');

  if (doOverlap(patches)) return 'damaged';
  const due = [];
  for (const patch of patches) if (!(await isApplied(window, patch))) due.push(patch);
  write(pieces, due, hasTrailer ? top[last].end : window.length);
  return null;
}

/** @param {Item} item @returns {'exif' | 'xmp' | 'text' | 'unknown' | null} null for what belongs to the picture */
function nameOf({ type, contentType }) {
  if (type === 'Exif') return 'exif';
  if (type === 'uri ') return 'unknown';
  if (type !== 'mime') return null;
  if (contentType === 'application/rdf+xml') return 'xmp';
  if (/^(text\/|application\/(json|xml))/.test(contentType)) return 'text';
  return contentType.startsWith('image/') ? null : 'unknown';
}

/** Whether a picture may have bytes there: tables point at places, not into boxes. @param {Item[]} items @param {{ start: number, end: number }} room */
function isUsed(items, room) {
  return items.some((item) => nameOf(item) === null && (item.extents === null || item.extents.some(({ start, end }) => start < room.end && room.start < end)));
}

/**
 * @param {ByteWindow} window @param {Item} item @param {'exif' | 'xmp' | 'text'} name @param {Item[]} items @param {Box[]} stores
 * @returns {Promise<Patch[] | null>} null where overwriting it would touch anything else
 */
async function blank(window, item, name, items, stores) {
  const { extents } = item;
  if (extents === null || extents.length === 0) return null;
  // A sequence has its notes twice, in the file's table and in its track's, and their bytes once.
  const others = items.filter((other) => nameOf(other) !== name).flatMap((other) => other.extents ?? []);
  for (const { start, end } of extents) {
    if (!stores.some((box) => box.at <= start && end <= box.end)) return null;
    if (others.some((other) => other.start < end && start < other.end)) return null;
  }
  /** @type {Removed[]} */
  const removed = name === 'exif' && (await hasLocation(window, extents[0])) ? ['exif', 'location'] : [name];
  const full = name === 'exif' ? emptyExif : name === 'xmp' ? emptyXmp : nothing;
  return extents.map(({ start, end }, index) => ({
    start,
    end,
    head: index === 0 && end - start >= full.length ? full : nothing,
    fill: name === 'exif' ? 0 : space,
    removed,
  }));
}

/** @param {ByteWindow} window @param {import('./heif-items.js').Extent} extent */
async function hasLocation(window, { start, end }) {
  const skip = (await window.view(start, 4))?.getUint32(0) ?? 0;
  const at = start + 4 + skip;
  return at < end && judgeExif(await window.read(at, Math.min(end - at, exifLimitBytes))).hasLocation;
}

/** Descriptions that are properties of a picture become as many empty texts. @param {ByteWindow} window @param {Box[]} parts @returns {Promise<Patch[] | null>} */
async function textPatches(window, parts) {
  const properties = parts.find((box) => box.name === 'iprp');
  if (!properties) return [];
  const container = (await boxesIn(window, properties.at, properties.end))?.find((box) => box.name === 'ipco');
  const boxes = container ? await boxesIn(window, container.at, container.end) : null;
  return boxes && boxes
    .filter((box) => textProperties.has(box.name) && box.end - box.at > 4)
    .map((box) => ({ start: box.at + 4, end: box.end, head: nothing, fill: 0, removed: ['text'] }));
}

/**
 * Of a sequence's movie: the notes of its maker, and the tables of items of its tracks, which are those of a still picture.
 * @param {ByteWindow} window @param {Box[]} top
 * @returns {Promise<{ metas: Box[], notes: Box[], hasTrackOfNotes: boolean } | null>} null where the movie is damaged
 */
async function notesInMovie(window, top) {
  /** @type {{ metas: Box[], notes: Box[], hasTrackOfNotes: boolean }} */
  const found = { metas: [], notes: [], hasTrackOfNotes: false };
  const movies = top.filter((box) => box.name === 'moov').map((box) => ({ box, isTrack: false }));
  for (const { box, isTrack } of movies) {
    const parts = await boxesIn(window, box.at, box.end);
    if (parts === null) return null;
    for (const part of parts) {
      if (part.name === 'trak' && !isTrack) {
        movies.push({ box: part, isTrack: true });
        found.hasTrackOfNotes ||= (await handlerOf(window, part, 'mdia')) === 'meta';
      } else if (part.name === 'meta' && (await handlerOf(window, part)) === 'pict') found.metas.push(part);
      else if (part.name === 'meta' || part.name === 'udta' || part.name === 'uuid') found.notes.push(part);
    }
  }
  return found;
}

/** @param {ByteWindow} window @param {Box} box @param {string} [within] a box inside it that holds the handler; without, `box` is a `meta` */
async function handlerOf(window, box, within) {
  const parts = await boxesIn(window, within ? box.at : box.at + 4, box.end);
  if (within) {
    const inner = parts?.find((part) => part.name === within);
    const innerParts = inner && (await boxesIn(window, inner.at, inner.end));
    return handlerAmong(window, innerParts ?? []);
  }
  return handlerAmong(window, parts ?? []);
}

/** @param {ByteWindow} window @param {Box[]} boxes */
async function handlerAmong(window, boxes) {
  const handler = boxes.find((box) => box.name === 'hdlr');
  const view = handler && (await window.view(handler.at + 8, 4));
  return view ? fourCharacters(view, 0) : '';
}

/** The same room, declared empty and made so. @param {Box} box @returns {Patch[]} */
function freed(box) {
  /** @type {Removed[]} */
  const removed = ['other'];
  return [
    { start: box.start + 4, end: box.start + 8, head: encoder.encode('free'), fill: 0, removed },
    { start: box.at, end: box.end, head: nothing, fill: 0, removed },
  ];
}
