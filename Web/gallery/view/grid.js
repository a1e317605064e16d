// Keeps one tile for each photo, in order, and turns presses and keys on tiles into wishes.

import { aspectOf, justify } from '../layout.js';
import { find } from './elements.js';
import { onLongPress } from './long-press.js';
import { Tile } from './tile.js';

/**
 * @typedef {object} GridWishes
 * @property {(photoId: string) => void} open
 * @property {(photoId: string) => void} remove
 * @property {(photoId: string, at: { x: number, y: number }) => void} menu
 */

export class Grid {
  /** @type {Map<string, Tile>} */
  #tiles = new Map();
  #list = find('grid', HTMLUListElement);
  /** @type {readonly import('../model.js').Photo[]} */
  #photos = [];
  /** @type {number[]} */
  #aspects = [];
  /** @type {ReadonlySet<string> | null} */
  #selected = null;
  /** The one tile that Tab leads to. @type {string | null} */
  #current = null;

  /** @param {GridWishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    const list = this.#list;
    list.addEventListener('click', (event) => {
      const id = photoIdAt(event.target);
      if (id === null) return;
      const menu = event.target instanceof Element ? event.target.closest('.tile-menu') : null;
      if (menu) wishes.menu(id, below(menu));
      else if (event.target instanceof Element && event.target.closest('.tile-open')) wishes.open(id);
    });
    list.addEventListener('contextmenu', (event) => {
      const id = photoIdAt(event.target);
      if (id === null) return;
      event.preventDefault();
      wishes.menu(id, { x: event.clientX, y: event.clientY });
    });
    onLongPress(list, (target, at) => {
      const id = photoIdAt(target);
      if (id !== null) wishes.menu(id, at);
    });
    list.addEventListener('keydown', (event) => this.#key(event));
    list.addEventListener('focusin', (event) => this.#setCurrent(photoIdAt(event.target)));
    new ResizeObserver(() => this.#arrange()).observe(list);
  }

  /** @param {readonly import('../model.js').Photo[]} photos */
  draw(photos) {
    let isTurnover = false;
    const wanted = new Set(photos.map((photo) => photo.id));
    for (const [id, tile] of this.#tiles) {
      if (wanted.has(id)) continue;
      this.#moveFocusFrom(tile);
      tile.release();
      this.#tiles.delete(id);
    }
    /** @type {Element | null} */
    let before = this.#list.firstElementChild;
    for (const photo of photos) {
      let tile = this.#tiles.get(photo.id);
      if (!tile) {
        isTurnover = true;
        tile = new Tile(photo.id);
        tile.mark(this.#markOf(photo.id));
        this.#tiles.set(photo.id, tile);
      }
      tile.show(photo);
      if (tile.element === before) before = before.nextElementSibling;
      else this.#list.insertBefore(tile.element, before);
    }
    const aspects = photos.map(aspectOf);
    if (isTurnover || aspects.length !== this.#aspects.length || aspects.some((aspect, index) => aspect !== this.#aspects[index])) {
      this.#photos = photos;
      this.#aspects = aspects;
      this.#arrange();
    }
    if (this.#current === null || !this.#tiles.has(this.#current)) this.#setCurrent(photos[0]?.id ?? null);
  }

  /** In the language that the page has now. */
  redraw() {
    for (const tile of this.#tiles.values()) tile.redraw();
  }

  /** @param {ReadonlySet<string> | null} ids those that are selected; null while nobody selects */
  select(ids) {
    this.#selected = ids;
    for (const [id, tile] of this.#tiles) tile.mark(this.#markOf(id));
  }

  /** @param {string} id */
  #markOf(id) {
    return this.#selected === null ? null : this.#selected.has(id);
  }

  /** @param {string} photoId */
  focus(photoId) {
    this.#tiles.get(photoId)?.open.focus();
  }

  /** @param {string} photoId @returns {{ x: number, y: number }} where a menu opened by key belongs */
  placeOf(photoId) {
    const tile = this.#tiles.get(photoId);
    return tile ? below(tile.menu) : { x: 0, y: 0 };
  }

  #arrange() {
    const width = this.#list.clientWidth;
    if (width === 0) return;
    const style = getComputedStyle(this.#list);
    const sizes = justify(this.#aspects, { width, rowHeight: Number.parseFloat(style.getPropertyValue('--row')), gap: Number.parseFloat(style.columnGap) });
    for (const [index, photo] of this.#photos.entries()) {
      const size = sizes[index];
      if (size) this.#tiles.get(photo.id)?.place(size);
    }
  }

  /** @param {string | null} id */
  #setCurrent(id) {
    const old = this.#current === null ? undefined : this.#tiles.get(this.#current);
    if (old) old.open.tabIndex = -1;
    this.#current = id;
    const tile = id === null ? undefined : this.#tiles.get(id);
    if (tile) tile.open.tabIndex = 0;
  }

  /** @param {Tile} tile */
  #moveFocusFrom(tile) {
    if (!tile.element.contains(document.activeElement)) return;
    const neighbour = tile.element.nextElementSibling ?? tile.element.previousElementSibling;
    if (neighbour instanceof HTMLElement) neighbour.querySelector('button')?.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const id = photoIdAt(event.target);
    if (id === null) return;
    if (event.key === 'Delete' || event.key === 'Backspace') this.wishes.remove(id);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) this.wishes.menu(id, this.placeOf(id));
    else if (!this.#step(id, event.key)) return;
    event.preventDefault();
  }

  /** @param {string} id @param {string} key @returns {boolean} whether the key moves the focus */
  #step(id, key) {
    const tiles = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    const at = tiles.findIndex((tile) => tile.dataset.photo === id);
    const steps = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tiles.length - 1, ArrowUp: inRow(tiles, at, -1), ArrowDown: inRow(tiles, at, 1) };
    if (!(key in steps)) return false;
    tiles[steps[/** @type {keyof typeof steps} */ (key)]]?.querySelector('button')?.focus();
    return true;
  }
}

/** @param {HTMLElement[]} tiles @param {number} at @param {1 | -1} direction @returns {number} the tile above or below */
function inRow(tiles, at, direction) {
  const here = tiles[at];
  if (!here) return at;
  const middle = here.offsetLeft + here.offsetWidth / 2;
  let best = at;
  let bestDistance = Infinity;
  let row = NaN;
  for (let index = at + direction; index >= 0 && index < tiles.length; index += direction) {
    const tile = tiles[index];
    if (!tile || tile.offsetTop === here.offsetTop) continue;
    if (!Number.isNaN(row) && tile.offsetTop !== row) break;
    row = tile.offsetTop;
    const distance = Math.abs(tile.offsetLeft + tile.offsetWidth / 2 - middle);
    if (distance < bestDistance) [best, bestDistance] = [index, distance];
  }
  return best;
}

/** @param {EventTarget | null} target */
function photoIdAt(target) {
  const tile = target instanceof Element ? target.closest('[data-photo]') : null;
  return tile instanceof HTMLElement ? (tile.dataset.photo ?? null) : null;
}

/** @param {Element} element */
function below(element) {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom };
}
