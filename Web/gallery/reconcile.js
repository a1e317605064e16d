// Decides, as a value, what a list of attachments means for the photos on the page.

/** @typedef {import('./model.js').Photo} Photo */
/** @typedef {{ id: string, isLocal: boolean, isUploaded?: boolean, photo: string, fingerprint: string }} Listed */
/**
 * @typedef {object} Decision
 * @property {{ photo: Photo, listed: Listed }[]} linked photos that this list has, now known by its names
 * @property {Listed[]} added photos to make
 * @property {{ photo: Photo, listed: Listed }[]} halves our own, begun in an earlier participation that the relay still awaits
 * @property {Photo[]} gone removed for everyone
 * @property {Photo[]} unfinished announced in an earlier participation, never finished, and not there any more
 */

/**
 * A photo that is linked already is never taken over by another attachment: whoever copies what a photo says of itself gets a tile of their own.
 * @param {object} situation
 * @param {readonly Photo[]} situation.photos
 * @param {readonly Listed[]} situation.list
 * @param {string} situation.sessionId
 * @param {boolean} situation.isComplete whether absence from the list means anything yet
 * @param {ReadonlySet<string>} situation.seen attachments listed before in this participation
 * @returns {Decision}
 */
export function reconcile({ photos, list, sessionId, isComplete, seen }) {
  /** @type {Decision} */
  const decision = { linked: [], added: [], halves: [], gone: [], unfinished: [] };
  const here = photos.filter((photo) => photo.sessionId === sessionId && photo.attachmentId !== null);
  const byAttachment = new Map(here.map((photo) => [photo.attachmentId, photo]));
  const linked = new Set(here);
  const free = new Set(photos.filter((photo) => !linked.has(photo)));

  for (const listed of list) {
    const photo = byAttachment.get(listed.id) ?? take(free, (candidate) =>
      candidate.isMine
        ? listed.isLocal && candidate.id === listed.photo
        : candidate.attachmentId !== null && candidate.fingerprint === listed.fingerprint);
    if (photo?.isMine && !listed.isLocal && listed.isUploaded === false) decision.halves.push({ photo, listed });
    else if (photo) decision.linked.push({ photo, listed });
    else decision.added.push(listed);
  }
  if (!isComplete) return decision;

  const listedIds = new Set(list.map((listed) => listed.id));
  for (const photo of here) {
    if (photo.attachmentId === null || listedIds.has(photo.attachmentId)) continue;
    const wasWhole = !photo.isMine || photo.share === 'shared';
    if (seen.has(photo.attachmentId) || wasWhole) decision.gone.push(photo);
    else decision.unfinished.push(photo);
  }
  return decision;
}

/** @param {Set<Photo>} free @param {(photo: Photo) => boolean} fits */
function take(free, fits) {
  for (const photo of free) {
    if (!fits(photo)) continue;
    free.delete(photo);
    return photo;
  }
  return undefined;
}
