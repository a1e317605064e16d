// One photo in the grid: its picture or an honest word in its place, its state, and the ways to its menu.

import { drawnIcon, icon, make } from './elements.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';
import { stateOf } from '../states.js';
import { noPictureText, noteText, photoStateText } from '../texts.js';

/** @typedef {import('../model.js').Photo} Photo */

// Copied for each tile: while somebody scrolls there is no time to make elements one by one, nor for those that nobody sees.
const pattern = make('li', { className: 'tile' },
  make('button', { className: 'tile-open', type: 'button', tabIndex: -1 }),
  make('button', { className: 'tile-menu', type: 'button', tabIndex: -1 }, drawnIcon('more')));
/** Parts that most tiles do without. */
const parts = {
  badge: make('span', { className: 'tile-badge' }),
  foot: make('span', { className: 'tile-foot', ariaHidden: 'true' }, make('span', { className: 'tile-caption', dir: 'auto' }), make('span', { className: 'tile-reactions' })),
  note: make('span', { className: 'tile-note' }),
  progress: make('progress', { className: 'tile-progress', max: 1, ariaHidden: 'true' }),
  check: make('span', { className: 'tile-check' }, drawnIcon('check')),
};

export class Tile {
  /** @type {Photo | null} */
  #photo = null;
  /** @type {Blob | null} */
  #thumbnail = null;
  #url = '';
  /** Where it stands among all photos. */
  index = -1;
  #count = 0;
  /** @type {import('../grid-window.js').Place | null} */
  #place = null;
  /** @type {HTMLElement | null} */
  #words = null;
  element = /** @type {HTMLLIElement} */ (pattern.cloneNode(true));
  open = /** @type {HTMLButtonElement} */ (this.element.firstElementChild);
  menu = /** @type {HTMLButtonElement} */ (this.element.lastElementChild);
  /** @type {Map<keyof typeof parts, HTMLElement>} */
  #parts = new Map();

  /** @param {string} id @param {boolean} isNew nobody has seen it before */
  constructor(id, isNew) {
    this.element.dataset.photo = id;
    this.element.classList.toggle('new', isNew);
  }

  /**
   * @template {keyof typeof parts} Name
   * @param {Name} name
   * @param {boolean} isThere from now on
   * @returns {(typeof parts)[Name] | null}
   */
  #part(name, isThere) {
    const part = this.#parts.get(name);
    if (!isThere) {
      part?.remove();
      this.#parts.delete(name);
      return null;
    }
    const made = part ?? /** @type {HTMLElement} */ (parts[name].cloneNode(true));
    if (!part) {
      this.#parts.set(name, made);
      this.menu.before(made);
    }
    return /** @type {(typeof parts)[Name]} */ (made);
  }

  /** @param {Photo} photo */
  show(photo) {
    if (photo === this.#photo) return;
    this.#photo = photo;
    const state = stateOf(photo);
    const name = shownText(photo.name, text('photo.unnamed'));
    const { element } = this;
    element.dataset.state = state;
    element.dataset.name = photo.name;
    if (photo.failure) element.dataset.failure = photo.failure.code;
    else delete element.dataset.failure;

    const stateText = photoStateText(photo, state);
    const owner = photo.isMine ? '' : shownText(photo.ownerName);
    this.open.setAttribute('aria-label', [name, owner && text('photo.from', { name: owner }), stateText, shownText(photo.caption), reactionText(photo)].filter(Boolean).join(', '));
    this.open.title = photo.failure ? stateText : '';
    this.menu.setAttribute('aria-label', text('photo.menu', { name }));
    this.#showPicture(photo, name);
    this.#showProgress(photo, state);
    const badge = this.#part('badge', photo.isAnimated);
    if (badge) badge.textContent = text('photo.moves');
    this.#showRemarks(photo);
  }

  /** @param {Photo} photo */
  #showRemarks(photo) {
    const isRemarked = photo.caption !== '' || photo.reactions.length > 0;
    this.element.classList.toggle('remarked', isRemarked);
    const foot = this.#part('foot', isRemarked);
    if (foot === null) return;
    const [caption, reactions] = /** @type {Iterable<HTMLElement>} */ (foot.children);
    if (caption) caption.textContent = shownText(photo.caption);
    if (!reactions) return;
    reactions.textContent = reactionText(photo);
    reactions.hidden = photo.reactions.length === 0;
  }

  /** @param {boolean | null} isSelected null while nobody selects */
  mark(isSelected) {
    this.#part('check', isSelected !== null);
    if (isSelected === null) this.open.removeAttribute('aria-pressed');
    else this.open.setAttribute('aria-pressed', String(isSelected));
    this.element.toggleAttribute('data-selected', isSelected === true);
  }

  /** In the language that the page has now. */
  redraw() {
    const photo = this.#photo;
    this.#photo = null;
    if (photo) this.show(photo);
  }

  /**
   * @param {import('../grid-window.js').Place} place
   * @param {number} index
   * @param {number} count of all photos, for who listens: most of them have no tile now
   */
  place(place, index, count) {
    if (index !== this.index || count !== this.#count) {
      this.index = index;
      this.#count = count;
      this.element.setAttribute('aria-posinset', String(index + 1));
      this.element.setAttribute('aria-setsize', String(count));
    }
    // The same value set again would still cost a new layout.
    if (place === this.#place) return;
    this.#place = place;
    const { style } = this.element;
    style.insetInlineStart = `${place.start}px`;
    style.top = `${place.top}px`;
    style.width = `${place.width}px`;
    style.height = `${place.height}px`;
  }

  /** The tile is gone, for good or until somebody comes near it again; its picture's memory can go too. */
  release() {
    URL.revokeObjectURL(this.#url);
    this.open.querySelector('img')?.removeAttribute('src');
    this.element.remove();
  }

  /** @param {Photo} photo @param {string} name */
  #showPicture(photo, name) {
    if (photo.thumbnail !== this.#thumbnail) {
      this.#thumbnail = photo.thumbnail;
      URL.revokeObjectURL(this.#url);
      this.open.replaceChildren();
      if (photo.thumbnail) {
        this.#url = URL.createObjectURL(photo.thumbnail);
        this.open.append(make('img', { src: this.#url, alt: '', decoding: 'async', draggable: false }));
      }
    }
    this.#words?.remove();
    this.#words = null;
    if (photo.thumbnail || !photo.isPrepared) return;
    this.#words = make('span', { className: 'tile-words' }, icon('picture'), make('b', { textContent: name }), make('span', { textContent: noPictureText(photo) }));
    this.open.after(this.#words);
  }

  /** @param {Photo} photo @param {import('../states.js').PhotoState} state */
  #showProgress(photo, state) {
    const { progress } = photo;
    const isMoving = progress !== null && progress.total > 0 && (state === 'sending' || state === 'loading' || state === 'interrupted');
    const bar = this.#part('progress', isMoving);
    if (bar && progress) bar.value = progress.bytes / progress.total;
    const words = noteText(photo, state);
    const note = this.#part('note', words !== '');
    if (note) note.textContent = words;
  }
}

/** @param {Photo} photo @returns {string} each reaction once, and how many there are: `❤️👍 3` */
function reactionText({ reactions }) {
  if (reactions.length === 0) return '';
  return `${[...new Set(reactions.map(({ emoji }) => emoji))].join('')} ${reactions.length}`;
}
