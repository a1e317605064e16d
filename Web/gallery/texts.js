// Every sentence that a person reads because something happened, in the language of the page; the words themselves are in texts/.

import { hasText, language, text } from './language.js';
import { formats } from './photos/formats.js';
import { stallOf } from './stalls.js';

/** @typedef {import('./causes.js').Cause} Cause */

const units = /** @type {const} */ (['bytes', 'kB', 'MB', 'GB', 'TB']);

/**
 * @param {number | undefined} bytes
 * @returns {string} in decimal units, as shops and phones count: `100 MB`, `3.4 MB`, `612 bytes`
 */
export function sizeText(bytes) {
  if (bytes === undefined || !Number.isFinite(bytes)) return text('size.unknown');
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  // One more digit, and always upwards where a limit is just passed, or "100 MB is more than 100 MB" comes out.
  const rounded = unit === 0 ? value : value >= 100 ? Math.ceil(value) : Math.ceil(value * 10) / 10;
  return text(`size.${units[unit] ?? 'TB'}`, { value: rounded, count: rounded });
}

/** Codes whose limit and value are sizes; those of the others are counts. */
const sized = new Set(['too-large', 'attachment-too-large', 'metadata-too-large', 'entry-too-large', 'message-too-large', 'conversation-quota', 'relay-quota', 'proxy-limit']);

/**
 * @param {Cause} cause a refusal or a `HearthError`
 * @returns {string} one or two sentences that say what happened and what to do
 */
export function sentenceFor({ code, limit, value, detail }) {
  const key = `fault.${code}`;
  const bare = `${key}-bare`;
  if (limit === undefined && hasText(bare)) return text(bare);
  if (code === 'unexpected' || !hasText(key)) return text('fault.unexpected', { detail: detail ?? code });
  return sized.has(code) ? text(key, { limit: sizeText(limit), value: exactSizeText(value, limit) }) : text(key, { limit, value });
}

/** Whether there is a sentence of its own for this code. @param {string} code */
export function hasSentence(code) {
  return hasText(`fault.${code}`);
}

/** What is in the way of a photo that goes on by itself, so that nobody is told to try again. @param {string} code */
function stallText(code) {
  const key = `stall.${code}`;
  return hasText(key) ? text(key) : sentenceFor({ code });
}

/** @param {number | undefined} value @param {number | undefined} limit */
function exactSizeText(value, limit) {
  return sizeText(value) === sizeText(limit) && value !== undefined ? text('size.bytes', { value, count: value }) : sizeText(value);
}

/**
 * @param {import('./model.js').Notice} notice
 * @param {string} name safe to show
 * @returns {string}
 */
export function noticeText(notice, name) {
  const count = notice.count ?? 1;
  const reason = () => (notice.kind === 'stalled' ? stallText(notice.code ?? '') : sentenceFor({ ...notice, code: notice.code ?? '' }));
  if (notice.kind === 'error') return reason();
  const key = `notice.${notice.kind}`;
  const many = `${key}-many`;
  if (count > 1 && hasText(many)) return text(many, { count });
  return hasText(key) ? text(key, { name, count, reason: notice.code === undefined ? '' : reason() }) : '';
}

/** @param {import('./states.js').Status} status @param {number} waiting photos that wait for the connection */
export function statusText(status, waiting) {
  return status === 'reconnecting' && waiting > 0 ? text('status.reconnecting-waits', { count: waiting }) : text(`status.${status}`);
}

/**
 * @param {ReturnType<import('./states.js').countsOf>} counts
 * @returns {string} `3 sending · 12 loading`, or nothing
 */
export function countsText(counts) {
  const moving = /** @type {const} */ (['preparing', 'sending', 'loading']).filter((kind) => counts[kind] > 0);
  return moving.map((kind) => text(`counts.${kind}`, { count: counts[kind] })).join(' · ');
}

/** @param {import('./model.js').Photo} photo @returns {number | null} whole percents of what is on its way */
function percentOf({ progress }) {
  return progress && progress.total > 0 ? Math.floor((progress.bytes / progress.total) * 100) : null;
}

/** @param {import('./model.js').Photo} photo @param {import('./states.js').PhotoState} state @returns {string} for a tile's description */
export function photoStateText(photo, state) {
  if (state === 'ready') return '';
  if (state === 'failed' && photo.failure) return sentenceFor(photo.failure);
  const percent = percentOf(photo);
  const withShare = `state.${state}-share`;
  const plain = percent !== null && hasText(withShare) ? text(withShare, { percent }) : text(`state.${state}`);
  const stall = stallOf(photo);
  return stall === null ? plain : text('state.interrupted-why', { state: plain, reason: stallText(stall) });
}

/** @param {import('./model.js').Photo} photo @param {import('./states.js').PhotoState} state @returns {string} a word on the tile, or nothing */
export function noteText(photo, state) {
  const key = `note.${state}`;
  if (!hasText(key)) return '';
  const percent = percentOf(photo);
  const isMoving = state === 'sending' || state === 'loading' || state === 'interrupted';
  return isMoving && percent !== null ? text('note.share', { note: text(key), percent }) : text(key);
}

/** @param {import('./model.js').Photo} photo @returns {string} why there is no picture to see, or nothing */
export function noPictureText(photo) {
  const { width, height, format } = photo;
  if (photo.isTooLargeToDecode) return text('photo.too-large-to-show', { width, height });
  return format !== null && !formats[format].isAlwaysShown ? text('photo.format-not-shown', { format: formats[format].title }) : text('photo.no-preview');
}

/** @param {string | null} takenAt @returns {string} the wall clock where it was taken, in no other time zone */
export function takenAtText(takenAt) {
  if (takenAt === null) return '';
  const date = new Date(`${takenAt.slice(0, 19)}Z`);
  const locale = language.code === 'en' ? 'en-GB' : language.locale;
  return date.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
