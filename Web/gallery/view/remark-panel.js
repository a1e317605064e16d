// Beneath the photo in the viewer: its caption, and what people think of it at a glance.

import { text } from '../language.js';
import { captionLimitCharacters } from '../photos/limits.js';
import { shownText } from '../photos/names.js';
import { emojis } from '../remarks.js';
import { find, make } from './elements.js';

/** @typedef {import('../model.js').Photo} Photo */
/** @typedef {{ caption: (photoId: string, text: string) => void, react: (photoId: string, emoji: string | null) => void }} RemarkWishes */

export class RemarkPanel {
  #caption = find('caption', HTMLInputElement);
  #buttons = new Map(emojis.map((emoji) => [emoji, make('button', { type: 'button', className: 'reaction', data: { emoji } })]));
  /** @type {Photo | null} */
  #photo = null;

  /** @param {string} person the name by which own reactions are known @param {RemarkWishes} wishes */
  constructor(person, wishes) {
    this.person = person;
    this.wishes = wishes;
    this.#caption.maxLength = captionLimitCharacters;
    this.#caption.addEventListener('change', () => this.#written());
    this.#caption.addEventListener('blur', () => this.#photo && this.#showCaption(this.#photo));
    this.#caption.addEventListener('keydown', (event) => this.#key(event));
    for (const [emoji, each] of this.#buttons) {
      each.addEventListener('click', () => this.#photo && wishes.react(this.#photo.id, this.#own(this.#photo) === emoji ? null : emoji));
      find('reactions', HTMLElement).append(each);
    }
  }

  /** @param {Photo} photo @param {{ canWrite: boolean, canReact: boolean }} rights */
  draw(photo, { canWrite, canReact }) {
    const isOther = photo.id !== this.#photo?.id;
    // Words that somebody has begun belong to the photo they were looking at.
    if (isOther) this.#leave();
    this.#photo = photo;
    this.#caption.readOnly = !canWrite;
    this.#caption.hidden = !canWrite && photo.caption === '';
    this.#caption.placeholder = text('caption.placeholder');
    if (isOther || document.activeElement !== this.#caption) this.#showCaption(photo);
    find('reactions', HTMLElement).hidden = !canReact && photo.reactions.length === 0;
    const own = this.#own(photo);
    for (const [emoji, each] of this.#buttons) {
      const those = photo.reactions.filter((reaction) => reaction.emoji === emoji);
      each.textContent = those.length === 0 ? emoji : `${emoji} ${those.length}`;
      each.dataset.count = String(those.length);
      each.hidden = !canReact && those.length === 0;
      each.disabled = !canReact;
      each.setAttribute('aria-pressed', String(own === emoji));
      each.setAttribute('aria-label', text(own === emoji ? 'reaction.take' : 'reaction.give', { emoji }) + (those.length > 0 ? `, ${namesOf(those)}` : ''));
      each.title = namesOf(those);
    }
    const groups = [...this.#buttons.keys()].map((emoji) => [emoji, namesOf(photo.reactions.filter((reaction) => reaction.emoji === emoji))]).filter(([, names]) => names !== '');
    find('reaction-names', HTMLElement).textContent = groups.map(([emoji, names]) => text('reaction.who', { emoji, names })).join('  ');
  }

  /** The viewer closes. */
  close() {
    this.#leave();
    this.#photo = null;
  }

  #leave() {
    if (document.activeElement === this.#caption) this.#caption.blur();
  }

  /** @param {Photo} photo */
  #showCaption(photo) {
    this.#caption.value = shownText(photo.caption);
    this.#caption.title = shownText(photo.caption);
  }

  #written() {
    const photo = this.#photo;
    const words = this.#caption.value.trim();
    if (photo && words !== photo.caption) {
      this.wishes.caption(photo.id, words);
      // Until it has its place with everyone the words stay as they were written.
      this.#photo = { ...photo, caption: words };
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.key === 'Enter' && !event.isComposing) this.#caption.blur();
    else if (event.key === 'Escape' && !event.isComposing) {
      if (this.#photo) this.#showCaption(this.#photo);
      this.#caption.blur();
    } else return;
    event.preventDefault();
  }

  /** @param {Photo} photo */
  #own(photo) {
    return photo.reactions.find(({ person }) => person === this.person)?.emoji ?? null;
  }
}

/** @param {readonly import('../model.js').Reaction[]} reactions */
function namesOf(reactions) {
  return reactions.map(({ name }) => shownText(name, text('people.somebody'))).join(', ');
}
