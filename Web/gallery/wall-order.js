// Decides what a wall shows next: what somebody shows to all, else what has just come, else what was not seen for longest.

/** @typedef {import('./model.js').Photo} Photo */

/**
 * @param {readonly Photo[]} photos in order of adding
 * @param {ReadonlyMap<string, number>} turns by photo, the number of the turn in which it was last shown
 * @param {string | null} leadersAttachment what somebody shows to all
 * @returns {Photo | null}
 */
export function nextOnWall(photos, turns, leadersAttachment) {
  const showable = photos.filter((photo) => photo.thumbnail !== null || photo.original !== null);
  const led = leadersAttachment === null ? undefined : showable.find((photo) => photo.attachmentId === leadersAttachment);
  if (led) return led;
  /** @type {Photo | null} */
  let best = null;
  for (const photo of showable) {
    if (best === null || (turns.get(photo.id) ?? 0) < (turns.get(best.id) ?? 0)) best = photo;
  }
  return best;
}

/** Whether something waits that nobody has seen here. @param {readonly Photo[]} photos @param {ReadonlyMap<string, number>} turns */
export function hasUnseen(photos, turns) {
  return photos.some((photo) => (photo.thumbnail !== null || photo.original !== null) && !turns.has(photo.id));
}
