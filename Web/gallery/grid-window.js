// Where each photo stands in the grid and which of them are near enough to be drawn, as values: thousands have a place, a few hundred are there.

import { justify } from './layout.js';

/** @typedef {{ start: number, top: number, width: number, height: number }} Place in CSS pixels; `start` from the side where reading begins */

/**
 * @param {readonly number[]} aspects
 * @param {{ width: number, rowHeight: number, gap: number }} room
 * @returns {{ places: Place[], height: number }}
 */
export function placesOf(aspects, room) {
  const places = /** @type {Place[]} */ ([]);
  let start = 0;
  let top = 0;
  let rowHeight = 0;
  for (const { width, height } of justify(aspects, room)) {
    if (start > 0 && start + width > room.width + 0.01) {
      top += rowHeight + room.gap;
      start = 0;
    }
    places.push({ start, top, width, height });
    start += width + room.gap;
    rowHeight = height;
  }
  return { places, height: places.length === 0 ? 0 : top + rowHeight };
}

/**
 * @param {readonly Place[]} places
 * @param {number} top @param {number} bottom of what is to be filled
 * @param {number} leastCount so many at least, so that a small gallery is there as a whole
 * @returns {{ from: number, to: number }} `to` is the first one that is not drawn
 */
export function rangeBetween(places, top, bottom, leastCount) {
  const from = firstWhere(places, (place) => place.top + place.height > top);
  const to = firstWhere(places, (place) => place.top >= bottom);
  const missing = leastCount - (to - from);
  if (missing <= 0) return { from, to };
  const before = Math.min(from, Math.max(Math.floor(missing / 2), missing - (places.length - to)));
  return { from: from - before, to: Math.min(places.length, to + missing - before) };
}

/**
 * @param {readonly Place[]} places
 * @param {number} at
 * @param {1 | -1} direction
 * @returns {number} whichever is nearest in the row above or below; `at` where there is none
 */
export function inNextRow(places, at, direction) {
  const here = places[at];
  if (!here) return at;
  const middle = here.start + here.width / 2;
  let best = at;
  let bestDistance = Infinity;
  let row = NaN;
  for (let index = at + direction; index >= 0 && index < places.length; index += direction) {
    const place = places[index];
    if (!place || place.top === here.top) continue;
    if (!Number.isNaN(row) && place.top !== row) break;
    row = place.top;
    const distance = Math.abs(place.start + place.width / 2 - middle);
    if (distance < bestDistance) [best, bestDistance] = [index, distance];
  }
  return best;
}

/** The places follow each other downwards. @param {readonly Place[]} places @param {(place: Place) => boolean} isReached @returns {number} */
export function firstWhere(places, isReached) {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const place = places[middle];
    if (place && isReached(place)) high = middle;
    else low = middle + 1;
  }
  return low;
}
