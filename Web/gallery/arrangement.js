// Which photos are shown and in which order, as a value: what grid and viewer both go by.

/** @typedef {import('./model.js').Photo} Photo */
/** @typedef {{ order: import('./choices.js').Order, person: string | null }} Arrangement `person`: a key of `peopleIn`, or null for everyone */

/**
 * @param {readonly Photo[]} photos in the order in which they were added
 * @param {Arrangement} arrangement
 * @returns {readonly Photo[]} the same array where nothing is to be changed
 */
export function arrange(photos, { order, person }) {
  const isShown = (/** @type {Photo} */ photo) => !photo.isLeaving && (person === null || personOf(photo) === person);
  const shown = photos.every(isShown) ? photos : photos.filter(isShown);
  if (order === 'added') return shown;
  const moments = new Map(shown.map((photo) => [photo, momentOf(photo)]));
  // Sorting is stable: a burst within one second stays in the order in which it was added.
  return shown.toSorted((a, b) => compare(moments.get(a) ?? '', moments.get(b) ?? ''));
}

/** @param {readonly Photo[]} photos @returns {{ key: string, name: string, isMe: boolean, count: number }[]} whose photos there are, oneself first, the others in the order of their first photo */
export function peopleIn(photos) {
  /** @type {Map<string, { key: string, name: string, isMe: boolean, count: number }>} */
  const people = new Map();
  for (const photo of photos) {
    if (photo.isLeaving) continue;
    const key = personOf(photo);
    const known = people.get(key);
    if (known) known.count += 1;
    else people.set(key, { key, name: photo.ownerName, isMe: photo.isMine, count: 1 });
  }
  return [...people.values()].toSorted((a, b) => Number(b.isMe) - Number(a.isMe));
}

/** People come and go and come again: what stays of them is their name. @param {Photo} photo */
function personOf(photo) {
  return photo.isMine ? 'me' : `name ${photo.ownerName}`;
}

/** The wall clock where it was taken; a photo that does not say so counts as taken when it was added. @param {Photo} photo */
function momentOf({ takenAt, addedAtMilliseconds }) {
  if (takenAt !== null) return takenAt.slice(0, 19);
  const added = new Date(addedAtMilliseconds);
  return new Date(addedAtMilliseconds - added.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
