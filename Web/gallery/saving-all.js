// Hands many originals over to an archive one by one, fetching those that are not here, and says which ones could not be had.

import { safeFileName } from './photos/names.js';

/** @typedef {import('./model.js').Photo} Photo */

/**
 * @param {import('./model.js').Gallery} gallery
 * @param {readonly string[]} photoIds
 * @param {object} surroundings
 * @param {(photoId: string) => void} surroundings.want asks for an original before others
 * @param {(photo: Photo) => void} surroundings.missed its original cannot be had
 * @param {(count: number) => void} surroundings.reached so many have been handed over or missed
 * @param {AbortSignal} surroundings.signal
 * @returns {AsyncGenerator<import('./archive/zip-stream.js').ZipEntry, void, void>}
 */
export async function* originalsOf(gallery, photoIds, { want, missed, reached, signal }) {
  for (const [index, id] of photoIds.entries()) {
    const named = gallery.photo(id);
    const photo = named && (await whole(gallery, id, want, signal));
    if (signal.aborted) return;
    const content = photo?.source ?? photo?.original;
    if (photo && content) yield { name: safeFileName(photo.name, photo.format), modified: modifiedAt(photo), blob: content };
    else if (named) missed(named);
    reached(index + 1);
  }
}

/**
 * @param {import('./model.js').Gallery} gallery @param {string} id @param {(photoId: string) => void} want @param {AbortSignal} signal
 * @returns {Promise<Photo | null>} null when it has gone or will not come
 */
function whole(gallery, id, want, signal) {
  const known = gallery.photo(id);
  if (known?.original) return Promise.resolve(known);
  return new Promise((resolve) => {
    const finish = (/** @type {Photo | null} */ photo) => {
      gallery.removeEventListener('photoschange', look);
      signal.removeEventListener('abort', look);
      resolve(photo);
    };
    const look = () => {
      const photo = gallery.photo(id);
      if (photo?.original) finish(photo);
      else if (!photo || photo.load === 'lost' || photo.failure !== null || signal.aborted) finish(null);
    };
    gallery.addEventListener('photoschange', look);
    signal.addEventListener('abort', look);
    want(id);
    look();
  });
}

/** Archives keep the wall clock and know no time zones. @param {Photo} photo */
function modifiedAt({ takenAt, addedAtMilliseconds }) {
  const taken = takenAt === null ? null : new Date(takenAt.slice(0, 19));
  return taken === null || Number.isNaN(taken.getTime()) ? new Date(addedAtMilliseconds) : taken;
}
