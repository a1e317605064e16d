// Captions and reactions: what people say about photos, as it stands after everything that was said, and what of it is believed.

import { captionLimitCharacters, reactionLimitPerPhoto, remarkedPhotoLimit } from './photos/limits.js';

/** @typedef {import('./model.js').Reaction} Reaction */
/** @typedef {{ caption: string | null, reactions: Map<string, Reaction> }} Remark a caption of null: nobody has said anything since the photo was added */
/** What travels to somebody who has just come: photo, caption, and reactions as person, name, emoji. @typedef {[string, string | null, [string, string, string][]]} RemarkLine */

/** One can react with these and nothing else. */
export const emojis = Object.freeze(['❤️', '😂', '😮', '😢', '👍', '🎉']);

const nameLimitCharacters = 64;

/** Keyed by attachment. The last who says something is right; who comes later learns it from a snapshot, which knows less than what they have heard themselves. */
export class Remarks {
  /** @type {Map<string, Remark>} */
  #remarks = new Map();
  /** What was heard in this session, not read in a snapshot. @type {Set<string>} */
  #heard = new Set();

  /** @param {string} photo @returns {Remark | undefined} */
  of(photo) {
    return this.#remarks.get(photo);
  }

  /** A new session: what is known from before is what a snapshot may correct. */
  begin() {
    this.#heard.clear();
  }

  /**
   * @param {unknown} value a message `caption` of anyone
   * @returns {string | null} the photo it is about, or null where it is not believed
   */
  hearCaption(value) {
    const { photo, text } = fieldsOf(value);
    if (!isPhoto(photo) || !isCaption(text)) return null;
    const remark = this.#take(photo);
    if (!remark) return null;
    remark.caption = text;
    this.#heard.add(`caption ${photo}`);
    return photo;
  }

  /**
   * @param {unknown} value a message `reaction` of anyone
   * @param {string} name what they call themselves
   * @returns {string | null} the photo it is about, or null where it is not believed
   */
  hearReaction(value, name) {
    const { photo, emoji, person } = fieldsOf(value);
    if (!isPhoto(photo) || !isPerson(person) || (emoji !== null && !isEmoji(emoji))) return null;
    const remark = this.#take(photo);
    if (!remark || !this.#react(remark, person, name, emoji)) return null;
    this.#heard.add(`reaction ${photo} ${person}`);
    return photo;
  }

  /**
   * @param {unknown} value lines of a snapshot
   * @returns {string[]} the photos that something was learned about
   */
  learn(value) {
    const learned = [];
    for (const line of Array.isArray(value) ? value.slice(0, remarkedPhotoLimit) : []) {
      const [photo, caption, reactions] = Array.isArray(line) ? line : [];
      const remark = isPhoto(photo) ? this.#take(photo) : undefined;
      if (!remark) continue;
      if (isCaption(caption) && !this.#heard.has(`caption ${photo}`)) remark.caption = caption;
      for (const entry of Array.isArray(reactions) ? reactions.slice(0, reactionLimitPerPhoto) : []) {
        const [person, name, emoji] = Array.isArray(entry) ? entry : [];
        if (isPerson(person) && isEmoji(emoji) && typeof name === 'string' && !this.#heard.has(`reaction ${photo} ${person}`)) this.#react(remark, person, name, emoji);
      }
      learned.push(photo);
    }
    return learned;
  }

  /** @param {ReadonlySet<string>} photos those that are there @returns {RemarkLine[]} everything that is known about them */
  lines(photos) {
    /** @type {RemarkLine[]} */
    const lines = [];
    for (const [photo, { caption, reactions }] of this.#remarks) {
      if (!photos.has(photo) || (caption === null && reactions.size === 0)) continue;
      lines.push([photo, caption, [...reactions.values()].map(({ person, name, emoji }) => [person, name, emoji])]);
    }
    return lines;
  }

  /** @param {string} photo @returns {Remark | undefined} nothing when there are too many already */
  #take(photo) {
    const known = this.#remarks.get(photo);
    if (known || this.#remarks.size >= remarkedPhotoLimit) return known;
    /** @type {Remark} */
    const remark = { caption: null, reactions: new Map() };
    this.#remarks.set(photo, remark);
    return remark;
  }

  /** @param {Remark} remark @param {string} person @param {string} name @param {string | null} emoji @returns {boolean} */
  #react(remark, person, name, emoji) {
    if (emoji === null) return remark.reactions.delete(person) || true;
    if (!remark.reactions.has(person) && remark.reactions.size >= reactionLimitPerPhoto) return false;
    remark.reactions.set(person, { person, name: name.slice(0, nameLimitCharacters), emoji });
    return true;
  }
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function fieldsOf(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** @param {unknown} value @returns {value is string} */
function isPhoto(value) {
  return typeof value === 'string' && value.length > 0 && value.length <= 64;
}

/** @param {unknown} value @returns {value is string} */
function isPerson(value) {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
}

/** @param {unknown} value @returns {value is string} */
function isEmoji(value) {
  return typeof value === 'string' && emojis.includes(value);
}

/** @param {unknown} value @returns {value is string} */
function isCaption(value) {
  return typeof value === 'string' && value.length <= captionLimitCharacters;
}
