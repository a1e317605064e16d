// What a photo says of itself in the sealed entry, and how much of what others say is believed.

import { base64ToBytes, bytesToBase64 } from './base64.js';
import { isCalendarDate } from './exif.js';
import { detectFormat, formats } from './formats.js';
import { readHeader } from './header.js';
import { ByteWindow } from './byte-window.js';
import { captionLimitCharacters, foreignThumbnailEdgePixels, photoNameLimitCharacters, thumbnailLimitBytes } from './limits.js';
import { travellingName } from './names.js';

/** @typedef {import('../model.js').Photo} Photo */
/**
 * @typedef {object} PhotoClaim what somebody says about a photo: well formed, and nothing more
 * @property {string} photo the maker's own name for it
 * @property {string} name
 * @property {import('./formats.js').PhotoFormat | null} format
 * @property {number} width 0 where it is not known
 * @property {number} height
 * @property {string | null} takenAt
 * @property {number} addedAtMilliseconds
 * @property {string} ownerName
 * @property {boolean} isAnimated
 * @property {string | null} thumbnail base64
 * @property {string} digest 64 hexadecimal digits, or nothing
 * @property {string} caption
 */

const edgeLimitPixels = 1_000_000;

/**
 * @param {Photo} photo
 * @returns {Promise<Record<string, unknown>>} JSON for `journal.add`; below 64 KiB, since name and thumbnail are limited
 */
export async function metadataOf(photo) {
  const thumbnail = photo.thumbnail === null ? null : bytesToBase64(new Uint8Array(await photo.thumbnail.arrayBuffer()));
  return {
    version: 1,
    photo: photo.id,
    name: travellingName(photo.name),
    type: photo.format === null ? '' : formats[photo.format].type,
    size: photo.sizeBytes,
    width: photo.width,
    height: photo.height,
    takenAt: photo.takenAt,
    addedAt: photo.addedAtMilliseconds,
    owner: photo.ownerName,
    animated: photo.isAnimated,
    digest: photo.digest,
    caption: photo.caption,
    thumbnail,
  };
}

/**
 * Never throws: a field that does not fit gives way to an empty one.
 * @param {unknown} value
 * @param {number} nowMilliseconds a photo from the future is taken for one of now
 * @returns {PhotoClaim}
 */
export function readMetadata(value, nowMilliseconds) {
  /** @type {Record<string, unknown>} */
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  const added = number(fields.addedAt, 0, Number.MAX_SAFE_INTEGER);
  const [width, height] = [number(fields.width, 1, edgeLimitPixels), number(fields.height, 1, edgeLimitPixels)];
  const thumbnail = text(fields.thumbnail, Math.ceil(thumbnailLimitBytes / 3) * 4);
  return {
    photo: text(fields.photo, 64),
    name: text(fields.name, photoNameLimitCharacters),
    format: formatOfType(fields.type),
    width: width === 0 || height === 0 ? 0 : width,
    height: width === 0 || height === 0 ? 0 : height,
    takenAt: typeof fields.takenAt === 'string' && isTakenAt(fields.takenAt) ? fields.takenAt : null,
    addedAtMilliseconds: added === 0 || added > nowMilliseconds ? nowMilliseconds : added,
    ownerName: text(fields.owner, photoNameLimitCharacters),
    isAnimated: fields.animated === true,
    thumbnail: thumbnail === '' ? null : thumbnail,
    digest: /^[0-9a-f]{64}$/.test(text(fields.digest, 64)) ? text(fields.digest, 64) : '',
    caption: text(fields.caption, captionLimitCharacters),
  };
}

/**
 * @param {string | null} thumbnail base64 from a claim
 * @returns {Promise<Blob | null>} a picture by its own bytes and of a modest size, or nothing
 */
export async function openThumbnail(thumbnail) {
  const bytes = thumbnail === null ? null : base64ToBytes(thumbnail);
  if (bytes === null || bytes.length > thumbnailLimitBytes) return null;
  const format = detectFormat(bytes);
  if (format !== 'jpeg' && format !== 'webp' && format !== 'png') return null;
  const header = await readHeader(format, new ByteWindow(new Blob([bytes])));
  if (header === null || Math.max(header.width, header.height) > foreignThumbnailEdgePixels || header.isAnimated) return null;
  return new Blob([bytes], { type: formats[format].type });
}

/** @param {unknown} value @param {number} limit */
function text(value, limit) {
  return typeof value === 'string' && value.length <= limit ? value : '';
}

/** @param {unknown} value @param {number} least @param {number} most @returns {number} 0 for what does not fit */
function number(value, least, most) {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : 0;
}

/** @param {unknown} type */
function formatOfType(type) {
  const names = /** @type {import('./formats.js').PhotoFormat[]} */ (Object.keys(formats));
  return names.find((name) => formats[name].type === type) ?? null;
}

/** @param {string} value */
function isTakenAt(value) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d)?$/.test(value) && isCalendarDate(value.slice(0, 19));
}
