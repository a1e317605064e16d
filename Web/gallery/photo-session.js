// One session of the photo activity: carries photos from the page into its journal and from its journal onto the page.

import { causeOf } from './causes.js';
import { Queue } from './queue.js';
import { Originals } from './originals.js';
import { reconcile } from './reconcile.js';
import { metadataOf, openThumbnail, readMetadata } from './photos/metadata.js';
import { uploadConcurrency } from './photos/limits.js';

/** @typedef {import('./model.js').Photo} Photo */
/** @typedef {import('../groupactivities/index.js').Attachment} Attachment */
/** @typedef {import('../groupactivities/index.js').GroupSessionJournal} GroupSessionJournal */

export class PhotoSession {
  #uploads = new Queue(uploadConcurrency);
  #isOver = false;
  #wasComplete = false;
  #isShownWhole = false;
  /** @type {Map<string, Attachment>} */
  #attachments = new Map();
  /** What each attachment said when it was first listed; later sayings are not heard. @type {Map<string, import('./reconcile.js').Listed>} */
  #listings = new Map();
  /** @type {Set<string>} */
  #seen = new Set();
  /** Photos whose upload has its place in the queue. @type {Set<string>} */
  #entrusted = new Set();
  /** Attachments of one's own earlier participation that nobody can finish any more. @type {Set<string>} */
  #takenBack = new Set();
  /** @type {AbortController} */
  #abort = new AbortController();

  /**
   * @param {import('./model.js').Gallery} gallery
   * @param {string} sessionId
   * @param {GroupSessionJournal} journal
   * @param {() => number} now milliseconds
   * @param {() => void} onShown `isWhole` may have changed
   */
  constructor(gallery, sessionId, journal, now, onShown = () => {}) {
    this.gallery = gallery;
    this.sessionId = sessionId;
    this.journal = journal;
    this.now = now;
    this.onShown = onShown;
    this.originals = new Originals(gallery);
  }

  /** Whether everything that the session has is on the page: the journal may know it a moment before. */
  get isWhole() {
    return this.#isShownWhole && this.journal.isComplete;
  }

  /** Follows the journal until `close`; call it before the session is joined. */
  async follow() {
    for (const photo of this.gallery.photos) {
      if (photo.share === 'shared' && photo.sessionId !== this.sessionId) this.gallery.update(photo.id, { share: 'private', attachmentId: null });
    }
    this.journal.addEventListener('completechange', () => {
      this.#isShownWhole = false;
      this.onShown();
      void this.#look();
    });
    const changes = this.journal.attachments[Symbol.asyncIterator]();
    while (!(await changes.next()).done && !this.#isOver) this.#look();
  }

  /** A list that is handed over a moment later may be older than `isComplete`; the two are taken at once, or a photo on its way looks removed. */
  async #look() {
    const { isComplete } = this.journal;
    const present = this.journal.attachments[Symbol.asyncIterator]();
    const { value: list } = await present.next();
    await present.return?.();
    if (this.#isOver || list === undefined) return;
    this.#attachments = new Map(list.map((/** @type {Attachment} */ attachment) => [attachment.id, attachment]));
    this.#reconcile(isComplete);
  }

  /** Shares every photo that is ours, meant for the others, ready, and not yet with them. */
  shareIntended() {
    queueIntended(this.gallery);
    // Until the whole ledger is here, a photo of an earlier participation could be there already and would come twice.
    if (!this.journal.isComplete) return;
    for (const photo of this.gallery.photos) {
      if (photo.share === 'queued' && !this.#entrusted.has(photo.id)) this.#share(photo.id);
    }
  }

  /** @param {string} photoId @returns {Promise<void>} rejects when it could not be removed for everyone */
  async remove(photoId) {
    const photo = this.gallery.photo(photoId);
    const attachment = this.#attachmentOf(photo);
    this.originals.forget(photoId);
    try {
      if (attachment) await this.journal.remove(attachment);
    } catch (error) {
      if (attachment && photo?.isMine === false && photo.original === null) this.originals.add(photoId, attachment);
      throw error;
    }
    // It may have been handed over to the page meanwhile.
    this.originals.forget(photoId);
    this.gallery.remove(photoId);
  }

  /** No frame of this session will come or go any more. */
  close() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#abort.abort();
    this.originals.stop();
    leaveUnsent(this.gallery);
  }

  /** @param {Photo | undefined} photo */
  #attachmentOf(photo) {
    return photo?.sessionId === this.sessionId && photo.attachmentId !== null ? this.#attachments.get(photo.attachmentId) : undefined;
  }

  /** @param {string} photoId */
  #share(photoId) {
    this.#entrusted.add(photoId);
    this.#uploads.run(() => this.#upload(photoId)).catch((error) => this.#shareFailed(photoId, error)).finally(() => this.#entrusted.delete(photoId));
  }

  /** @param {string} photoId */
  async #upload(photoId) {
    const photo = this.gallery.photo(photoId);
    if (!photo?.original || this.#isOver || photo.share !== 'queued') return;
    this.gallery.update(photoId, { share: 'sending', ownerName: this.gallery.sharing.name });
    const metadata = await metadataOf({ ...photo, ownerName: this.gallery.sharing.name });
    const attachment = await this.journal.add(photo.original, {
      metadata,
      signal: this.#abort.signal,
    });
    this.#attachments.set(attachment.id, attachment);
    this.#seen.add(attachment.id);
    this.gallery.update(photoId, { attachmentId: attachment.id, sessionId: this.sessionId });
    // It was taken away here while it was being announced.
    if (!this.gallery.photo(photoId)) {
      await this.journal.remove(attachment);
      return;
    }
    attachment.addEventListener('progresschange', () => this.#progressed(photoId, attachment.progress));
    await attachment.uploaded;
    this.gallery.update(photoId, { share: 'shared', progress: null });
  }

  /** @param {string} photoId @param {Photo['progress']} progress */
  #progressed(photoId, progress) {
    if (!this.#isOver && this.gallery.photo(photoId)?.share === 'sending') this.gallery.update(photoId, { progress });
  }

  /** @param {string} photoId @param {unknown} error */
  #shareFailed(photoId, error) {
    const cause = causeOf(error);
    const { code } = cause;
    // The session's own end is told elsewhere, once, and a removal has taken the photo with it.
    if (this.#isOver || code === 'session-invalidated' || code === 'aborted' || code === 'removed') return;
    const photo = this.gallery.photo(photoId);
    if (!photo) return;
    this.gallery.update(photoId, { share: 'private', progress: null, failure: cause });
    this.gallery.notify({ kind: 'not-shared', name: photo.name, ...cause });
  }

  /** @param {boolean} isComplete */
  #reconcile(isComplete) {
    const list = [...this.#attachments.values()]
      .filter(({ id }) => !this.#takenBack.has(id))
      .map((attachment) => ({ ...this.#listed(attachment), isUploaded: attachment.isUploaded }));
    const decision = reconcile({ photos: this.gallery.photos, list, sessionId: this.sessionId, isComplete, seen: this.#seen });
    for (const { photo, listed } of decision.linked) this.#link(photo, listed);
    for (const listed of decision.added) this.#add(listed);
    for (const { photo, listed } of decision.halves) this.#takeBack(photo, listed.id);
    for (const photo of decision.gone) {
      this.originals.forget(photo.id);
      this.gallery.remove(photo.id);
      this.gallery.notify({ kind: 'removed', name: photo.name });
    }
    for (const photo of decision.unfinished) {
      this.gallery.update(photo.id, { share: 'private', attachmentId: null, sessionId: null, progress: null });
    }
    this.#isShownWhole = isComplete;
    if (isComplete) {
      this.#wasComplete = true;
      for (const listed of list) this.#seen.add(listed.id);
      this.shareIntended();
    }
    this.onShown();
  }

  /** A body is finished only by who began it, and that participation is over: the photo is added again. @param {Photo} photo @param {string} attachmentId */
  #takeBack(photo, attachmentId) {
    const attachment = this.#attachments.get(attachmentId);
    this.#takenBack.add(attachmentId);
    this.gallery.update(photo.id, { share: 'queued', attachmentId: null, sessionId: null, progress: null });
    // When that fails it goes by itself, with the participant that it belonged to.
    if (attachment) this.journal.remove(attachment).catch(() => {});
  }

  /** @param {Attachment} attachment */
  #listed(attachment) {
    const known = this.#listings.get(attachment.id);
    if (known) return known;
    const { photo, name, width, height, takenAt } = readMetadata(attachment.metadata, this.now());
    const listed = { id: attachment.id, isLocal: attachment.isLocal, photo, fingerprint: JSON.stringify([photo, name, attachment.size, width, height, takenAt]) };
    this.#listings.set(attachment.id, listed);
    return listed;
  }

  /** @param {Photo} photo @param {import('./reconcile.js').Listed} listed */
  #link(photo, listed) {
    const attachment = this.#attachments.get(listed.id);
    if (!attachment) return;
    const isNew = photo.attachmentId !== listed.id || photo.sessionId !== this.sessionId;
    if (isNew) this.gallery.update(photo.id, { attachmentId: listed.id, sessionId: this.sessionId, fingerprint: listed.fingerprint });
    if (photo.isMine) {
      const share = attachment.isUploaded ? 'shared' : photo.share === 'private' || (photo.share === 'queued' && !this.#entrusted.has(photo.id)) ? 'sending' : photo.share;
      if (share !== photo.share) this.gallery.update(photo.id, { share, ...(share === 'shared' ? { progress: null } : {}) });
    } else if (photo.original === null) {
      if (photo.load === 'lost') this.gallery.update(photo.id, { load: 'waiting' });
      this.originals.add(photo.id, attachment);
    }
  }

  /** @param {import('./reconcile.js').Listed} listed */
  #add(listed) {
    const attachment = this.#attachments.get(listed.id);
    if (!attachment) return;
    const claim = readMetadata(attachment.metadata, this.now());
    const id = `a-${listed.id}`;
    this.gallery.add({
      id,
      sortKey: claim.photo || listed.id,
      name: claim.name,
      format: claim.format,
      sizeBytes: attachment.size,
      width: claim.width,
      height: claim.height,
      orientation: 1,
      takenAt: claim.takenAt,
      addedAtMilliseconds: claim.addedAtMilliseconds,
      ownerName: attachment.owner?.name ?? claim.ownerName,
      isMine: false,
      isAnimated: claim.isAnimated,
      isTooLargeToDecode: false,
      isPrepared: true,
      thumbnail: null,
      original: null,
      source: null,
      digest: claim.digest,
      caption: claim.caption,
      reactions: [],
      isLeaving: false,
      isIntended: false,
      share: 'private',
      load: 'waiting',
      progress: null,
      failure: null,
      sessionId: this.sessionId,
      attachmentId: listed.id,
      fingerprint: listed.fingerprint,
    });
    if (this.#wasComplete) {
      this.gallery.notify({ kind: 'added', name: attachment.owner?.name ?? claim.ownerName });
    }
    openThumbnail(claim.thumbnail).then((thumbnail) => this.gallery.update(id, { thumbnail }));
    this.originals.add(id, attachment);
  }
}

/** Shows of each photo that is meant for the others and not with them that it waits. @param {import('./model.js').Gallery} gallery */
export function queueIntended(gallery) {
  for (const photo of gallery.photos) {
    if (photo.isMine && photo.isIntended && photo.isPrepared && !photo.isLeaving && photo.share === 'private' && photo.failure === null) gallery.update(photo.id, { share: 'queued' });
  }
}

/** Nothing goes out any more: what was not sent is only here. @param {import('./model.js').Gallery} gallery */
export function leaveUnsent(gallery) {
  for (const photo of gallery.photos) {
    if (photo.share === 'queued' || photo.share === 'sending') gallery.update(photo.id, { share: 'private', progress: null });
  }
}
