// What the gallery knows, as values with change events: the one place that the page is drawn from.

/**
 * @typedef {object} Photo a value; a change makes a new one
 * @property {string} id in this page only
 * @property {string} name as its maker called it; text from a stranger unless `isMine`
 * @property {import('./photos/formats.js').PhotoFormat | null} format by content, or as claimed until the original is here
 * @property {number} sizeBytes
 * @property {number} width as seen, 0 where it is not known
 * @property {number} height
 * @property {number} orientation EXIF's, 1 to 8; known with the original
 * @property {string | null} takenAt
 * @property {number} addedAtMilliseconds
 * @property {string} sortKey decides between photos added in the same millisecond
 * @property {string} ownerName
 * @property {boolean} isMine
 * @property {boolean} isAnimated
 * @property {boolean} isTooLargeToDecode
 * @property {boolean} isPrepared the thumbnail is made, or cannot be made
 * @property {Blob | null} thumbnail
 * @property {Blob | null} original what is shared, or what has come: to the last byte the same with everyone
 * @property {Blob | null} source the file as it was added, where something was taken out of it; it never leaves this device
 * @property {string} digest SHA-256 of what the file is without metadata, in hexadecimal; empty where it is not known
 * @property {string} caption text from a stranger
 * @property {readonly Reaction[]} reactions one of each person
 * @property {boolean} isLeaving removed here, and this can still be undone: it is not shown
 * @property {boolean} isIntended its maker wants it shared
 * @property {'private' | 'queued' | 'sending' | 'shared'} share
 * @property {'here' | 'waiting' | 'loading' | 'there' | 'lost'} load `there`: the relay has it, and it comes when it is wanted
 * @property {{ bytes: number, total: number, phase: string, error?: { code: string } | null } | null} progress
 * @property {import('./causes.js').Cause | null} failure
 * @property {string | null} sessionId where it is, or was last, shared
 * @property {string | null} attachmentId
 * @property {string} fingerprint what was first said of it, to know it again in another session
 */

/** @typedef {{ person: string, name: string, emoji: string }} Reaction `person` is a name for whoever reacted, `name` what they call themselves */

/**
 * @typedef {object} Person
 * @property {string} id
 * @property {string} name text from a stranger
 * @property {boolean} isLocal
 * @property {boolean} isAway
 */

/**
 * @typedef {object} SharingState
 * @property {'alone' | 'connecting' | 'together' | 'over'} stage
 * @property {'connecting' | 'waiting' | 'connected' | 'reconnecting' | 'closed'} connection
 * @property {'none' | 'joined' | 'ended' | 'broken'} session
 * @property {boolean} isStarting the activity is on its way to everyone, oneself included
 * @property {boolean} isInSync
 * @property {Person[]} people
 * @property {string[]} divergent names of those who were shown something else than we were, as far as is known
 * @property {number} joinedLately how many came within the last ten minutes, as this page has seen
 * @property {import('./entrance.js').GalleryDoor} door
 * @property {string} name the own one
 * @property {string} link
 * @property {string} code
 * @property {import('./causes.js').Cause | null} reason why it is over, or why the session broke
 */

/** @typedef {{ id: number, kind: string, name?: string, count?: number, code?: string, limit?: number, value?: number, detail?: string, knock?: string }} Notice `knock`: who knocks */

/** Of these one message tells of all. */
const summed = new Set(['removed', 'not-added-twice', 'not-cleaned', 'removing']);

/** @type {SharingState} */
const alone = {
  stage: 'alone', connection: 'closed', session: 'none', isStarting: false, isInSync: false, people: [], divergent: [], joinedLately: 0, name: '', link: '', code: '', reason: null,
  door: { mode: 'open', closesAt: null, isConfirmed: true },
};

/** Events: `photoschange`, `sharingchange`, `noticeschange`; read the property. */
export class Gallery extends EventTarget {
  /** @type {Map<string, Photo>} */
  #photos = new Map();
  /** @type {Photo[] | null} */
  #sorted = null;
  /** @type {SharingState} */
  #sharing = alone;
  /** @type {Notice[]} */
  #notices = [];
  #noticeNumber = 0;

  /** In the order in which they were added, the same on every screen. */
  get photos() {
    this.#sorted ??= [...this.#photos.values()].sort(
      (a, b) => a.addedAtMilliseconds - b.addedAtMilliseconds || (a.sortKey < b.sortKey ? -1 : 1),
    );
    return this.#sorted;
  }

  /** @param {string | null} id */
  photo(id) {
    return id === null ? undefined : this.#photos.get(id);
  }

  /** @param {Photo} photo */
  add(photo) {
    this.#photos.set(photo.id, photo);
    this.#changed();
  }

  /**
   * Does nothing when the photo has gone meanwhile.
   * @param {string} id
   * @param {Partial<Photo>} change
   */
  update(id, change) {
    const photo = this.#photos.get(id);
    if (!photo) return;
    const next = { ...photo, ...change };
    this.#photos.set(id, next);
    // Progress comes many times a second; the order does not change with it.
    const isInPlace = this.#sorted !== null && next.addedAtMilliseconds === photo.addedAtMilliseconds;
    this.#changed(isInPlace ? this.#sorted?.with(this.#sorted.indexOf(photo), next) : null);
  }

  /** @param {string} id */
  remove(id) {
    if (this.#photos.delete(id)) this.#changed();
  }

  /** @param {Photo[] | null} [sorted] */
  #changed(sorted = null) {
    this.#sorted = sorted;
    this.dispatchEvent(new Event('photoschange'));
  }

  get sharing() {
    return this.#sharing;
  }

  /** @param {Partial<SharingState>} change */
  setSharing(change) {
    this.#sharing = { ...this.#sharing, ...change };
    this.dispatchEvent(new Event('sharingchange'));
  }

  /** Things a person must be told once, oldest first. */
  get notices() {
    return this.#notices;
  }

  /**
   * Thirty photos that somebody adds are one thing to tell, not thirty.
   * @param {Omit<Notice, 'id'>} notice
   * @returns {number} by which it can be dismissed
   */
  notify(notice) {
    const isSame = (/** @type {Notice} */ other) => other.kind === notice.kind && (summed.has(notice.kind) || (notice.kind === 'added' && other.name === notice.name));
    const before = this.#notices.find(isSame);
    if (before) {
      this.#notices = this.#notices.map((other) => (other === before ? { ...before, count: (before.count ?? 1) + 1 } : other));
      this.dispatchEvent(new Event('noticeschange'));
      return before.id;
    }
    this.#noticeNumber += 1;
    this.#notices = [...this.#notices, { ...notice, id: this.#noticeNumber }];
    this.dispatchEvent(new Event('noticeschange'));
    return this.#noticeNumber;
  }

  /** @param {number} id */
  dismiss(id) {
    this.#notices = this.#notices.filter((notice) => notice.id !== id);
    this.dispatchEvent(new Event('noticeschange'));
  }
}
