// Makes names that strangers chose safe to look at and safe to save under.

import { formats } from './formats.js';
import { photoNameLimitCharacters } from './limits.js';

const controls = /[\u0000-\u001f]/g;
// Marks that turn the direction of writing, break lines or take no room: with them a name can look like another one.
const invisibles = /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]/g;
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * @param {unknown} value
 * @param {string} [fallback] where nothing is left to show
 * @returns {string} one line in which every control character is a visible sign
 */
export function shownText(value, fallback = '') {
  if (typeof value !== 'string') return fallback;
  const visible = value
    .slice(0, photoNameLimitCharacters)
    .replace(loneSurrogates, '\ufffd')
    .replace(controls, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)))
    .replace(invisibles, '\ufffd')
    .trim();
  return visible === '' ? fallback : visible;
}

/**
 * @param {string} name
 * @returns {string} cut to what a name may have on its way, with its ending kept and no character cut in two
 */
export function travellingName(name) {
  if (name.length <= photoNameLimitCharacters) return name;
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
  return name.slice(0, photoNameLimitCharacters - ending.length).replace(/[\ud800-\udbff]$/, '') + ending;
}

const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/i;
const safeNameLimitBytes = 200;

/**
 * @param {string} name as it travelled
 * @param {import('./formats.js').PhotoFormat | null} format what the content is
 * @returns {string} a name that every system takes, that hides nothing, and that ends in an extension of `format`
 */
export function safeFileName(name, format) {
  let safe = shownText(name)
    .replace(/[\u2400-\u241f\ufffd]/g, '_')
    .replace(/[/\\:*?"<>|]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  if (safe === '') safe = 'photo';
  if (reserved.test(safe)) safe = `_${safe}`;
  if (format === null) return cut(safe, '.bin');
  const extension = /\.([^.]*)$/.exec(safe)?.[1] ?? '';
  if (formats[format].extensions.includes(extension.toLowerCase())) return cut(safe.slice(0, -extension.length - 1), `.${extension}`);
  return cut(safe, `.${formats[format].extensions[0]}`);
}

/** @param {string} stem @param {string} ending */
function cut(stem, ending) {
  const encoder = new TextEncoder();
  let characters = [...stem];
  while (encoder.encode(characters.join('')).length + ending.length > safeNameLimitBytes) characters = characters.slice(0, -1);
  return characters.join('') + ending;
}

/**
 * @param {string} name
 * @returns {number} its length as the protocol counts it
 */
export function nameLengthBytes(name) {
  return new TextEncoder().encode(name).length;
}
