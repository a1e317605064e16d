// One photo in the grid: its picture or an honest word in its place, its state, and the ways to its menu.

import { icon, make } from './elements.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';
import { stateOf } from '../states.js';
import { noPictureText, noteText, photoStateText } from '../texts.js';

/** @typedef {import('../model.js').Photo} Photo */

// Copied for each tile: while somebody scrolls there is no time to make thirteen elements one by one.
const pattern = make('li', { className: 'tile' },
  make('button', { className: 'tile-open', type: 'button', tabIndex: -1 }),
  make('span', { className: 'tile-badge', hidden: true }),
  make('span', { className: 'tile-foot', hidden: true, ariaHidden: 'true' }, make('span', { className: 'tile-caption', dir: 'auto' }), make('span', { className: 'tile-reactions' })),
  make('span', { className: 'tile-note', hidden: true }),
  make('progress', { className: 'tile-progress', hidden: true, max: 1, ariaHidden: 'true' }),
  make('span', { className: 'tile-check' }, icon('check')),
  make('button', { className: 'tile-menu', type: 'button', tabIndex: -1 }, icon('more')));

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
  open = this.#part('open', HTMLButtonElement);
  menu = this.#part('menu', HTMLButtonElement);
  #badge = this.#part('badge', HTMLElement);
  #foot = this.#part('foot', HTMLElement);
  #caption = this.#part('caption', HTMLElement);
  #reactions = this.#part('reactions', HTMLElement);
  #note = this.#part('note', HTMLElement);
  #progress = this.#part('progress', HTMLProgressElement);

  /** @param {string} id @param {boolean} isNew nobody has seen it before */
  constructor(id, isNew) {
    this.element.dataset.photo = id;
    this.element.classList.toggle('new', isNew);
    this.#badge.textContent = text('photo.moves');
  }

  /**
   * @template {HTMLElement} T
   * @param {string} name
   * @param {new () => T} kind
   */
  #part(name, kind) {
    const part = this.element.querySelector(`.tile-${name}`);
    if (!(part instanceof kind)) throw new TypeError(`a tile has no ${name}`);
    return part;
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
    this.#badge.hidden = !photo.isAnimated;
    this.#caption.textContent = shownText(photo.caption);
    this.#reactions.textContent = reactionText(photo);
    this.#reactions.hidden = photo.reactions.length === 0;
    this.#foot.hidden = photo.caption === '' && photo.reactions.length === 0;
  }

  /** @param {boolean | null} isSelected null while nobody selects */
  mark(isSelected) {
    if (isSelected === null) this.open.removeAttribute('aria-pressed');
    else this.open.setAttribute('aria-pressed', String(isSelected));
    this.element.toggleAttribute('data-selected', isSelected === true);
  }

  /** In the language that the page has now. */
  redraw() {
    const photo = this.#photo;
    this.#photo = null;
    this.#badge.textContent = text('photo.moves');
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
    this.#progress.hidden = !isMoving;
    if (isMoving) this.#progress.value = progress.bytes / progress.total;
    const note = noteText(photo, state);
    this.#note.hidden = note === '';
    this.#note.textContent = note;
  }
}

/** @param {Photo} photo @returns {string} each reaction once, and how many there are: `❤️👍 3` */
function reactionText({ reactions }) {
  if (reactions.length === 0) return '';
  return `${[...new Set(reactions.map(({ emoji }) => emoji))].join('')} ${reactions.length}`;
}
