// Keeps a tile for each photo that is near what is looked at, in order, and turns presses and keys on tiles into wishes.

import { firstWhere, inNextRow, placesOf, rangeBetween } from '../grid-window.js';
import { language } from '../language.js';
import { aspectOf } from '../layout.js';
import { find, oncePerFrame } from './elements.js';
import { onLongPress } from './long-press.js';
import { Tile } from './tile.js';

/**
 * @typedef {object} GridWishes
 * @property {(photoId: string) => void} open
 * @property {(photoId: string) => void} remove
 * @property {(photoId: string, at: { x: number, y: number }) => void} menu
 */

/** So many tiles are there at least; a gallery that is smaller is there as a whole. */
const leastTileCount = 60;
/** So many tiles are made for one frame: the address of a picture has to be asked of another process, and that alone takes half a millisecond. */
const madeTileCount = 14;
/** So much is drawn above and below what is seen, in heights of the window. */
const marginScreens = 1;

export class Grid {
  /** Those that are drawn. @type {Map<string, Tile>} */
  #tiles = new Map();
  #list = find('grid', HTMLUListElement);
  /** @type {readonly import('../model.js').Photo[]} */
  #photos = [];
  /** @type {Map<string, number>} */
  #indices = new Map();
  /** @type {number[]} */
  #aspects = [];
  /** @type {import('../grid-window.js').Place[]} */
  #places = [];
  #range = { from: 0, to: 0 };
  #width = 0;
  /** Those that have been drawn before: what comes back into view does not appear, it was there. @type {Set<string>} */
  #known = new Set();
  /** @type {ReadonlySet<string> | null} */
  #selected = null;
  /** The one tile that Tab leads to. @type {string | null} */
  #current = null;
  #isCurrentChosen = false;

  #goOn = oncePerFrame(() => this.#fill());

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
    list.addEventListener('focusin', (event) => this.#setCurrent(photoIdAt(event.target), true));
    const follow = oncePerFrame(() => this.#follow());
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow, { passive: true });
    new ResizeObserver(() => this.#arrange()).observe(list);
  }

  /** @param {readonly import('../model.js').Photo[]} photos */
  draw(photos) {
    const before = this.#photos;
    this.#photos = photos;
    const isSameOrder = before.length === photos.length && before.every((photo, index) => photo.id === photos[index]?.id);
    if (!isSameOrder) this.#indices = new Map(photos.map((photo, index) => [photo.id, index]));
    const aspects = photos.map(aspectOf);
    const isSameShape = isSameOrder && aspects.every((aspect, index) => aspect === this.#aspects[index]);
    if (!isSameOrder) this.#letGo(before);
    if (isSameShape) {
      for (const [id, tile] of this.#tiles) {
        const photo = photos[this.#indices.get(id) ?? -1];
        if (photo) tile.show(photo);
      }
      return;
    }
    this.#aspects = aspects;
    this.#list.dataset.count = String(photos.length);
    this.#width = 0;
    this.#arrange();
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

  /** Brings the photo into view as well. @param {string} photoId */
  focus(photoId) {
    const index = this.#indices.get(photoId);
    if (index === undefined) return;
    const tile = this.#tile(index);
    if (!tile) return;
    this.#order();
    tile.element.scrollIntoView({ block: 'nearest' });
    tile.open.focus({ preventScroll: true });
    this.#fill();
  }

  /** @param {string} photoId @returns {{ x: number, y: number }} where a menu opened by key belongs */
  placeOf(photoId) {
    const tile = this.#tiles.get(photoId);
    return tile ? below(tile.menu) : { x: 0, y: 0 };
  }

  /** Photos above what is looked at that come or go move the page with them, and not what is looked at. */
  #arrange() {
    const width = this.#list.clientWidth;
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    const style = getComputedStyle(this.#list);
    const anchor = this.#anchor();
    const { places, height } = placesOf(this.#aspects, { width, rowHeight: Number.parseFloat(style.getPropertyValue('--row')), gap: Number.parseFloat(style.columnGap) });
    this.#places = places;
    this.#list.style.height = `${height}px`;
    const moved = anchor === null ? undefined : places[this.#indices.get(anchor.id) ?? -1];
    if (anchor && moved && moved.top !== anchor.top) window.scrollBy({ top: moved.top - anchor.top, behavior: 'instant' });
    this.#fill();
  }

  /** @returns {{ id: string, top: number } | null} the first photo in view, once the page has been scrolled away from the first row */
  #anchor() {
    const top = -this.#list.getBoundingClientRect().top;
    if (top <= 0) return null;
    const index = firstWhere(this.#places, (place) => place.top >= top);
    for (const [id, tile] of this.#tiles) {
      if (tile.index === index && this.#places[index] && this.#indices.has(id)) return { id, top: this.#places[index].top };
    }
    return null;
  }

  /** The page was scrolled; nothing is to do while what is drawn still reaches far enough. */
  #follow() {
    if (this.#tiles.size >= this.#photos.length) return;
    const { top, bottom } = this.#view();
    const half = (bottom - top) * marginScreens / 2;
    const near = rangeBetween(this.#places, top - half, bottom + half, 0);
    if (near.from < this.#range.from || near.to > this.#range.to) this.#fill();
  }

  #view() {
    const { top } = this.#list.getBoundingClientRect();
    return { top: -top, bottom: innerHeight - top };
  }

  /** Draws the tiles that are near and lets go of those that are far; whichever has the focus stays. */
  #fill() {
    const { top, bottom } = this.#view();
    const margin = (bottom - top) * marginScreens;
    this.#range = rangeBetween(this.#places, top - margin, bottom + margin, leastTileCount);
    const { from, to } = this.#range;
    const focused = photoIdAt(document.activeElement);
    for (const [id, tile] of this.#tiles) {
      const index = this.#indices.get(id) ?? -1;
      if ((index >= from && index < to) || id === focused) this.#put(tile, index);
      else {
        tile.release();
        this.#tiles.delete(id);
      }
    }
    this.#make(top, bottom);
    this.#order();
    if (!this.#isCurrentChosen || this.#current === null || !this.#tiles.has(this.#current)) this.#setCurrent(this.#photos[firstWhere(this.#places, (place) => place.top >= top)]?.id ?? this.#photos[from]?.id ?? null);
  }

  /** A few at a time, and first what is seen. @param {number} top @param {number} bottom */
  #make(top, bottom) {
    const [seen, ahead] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
    for (let index = this.#range.from; index < this.#range.to; index += 1) {
      const [photo, place] = [this.#photos[index], this.#places[index]];
      if (!photo || !place || this.#tiles.has(photo.id)) continue;
      const isSeen = place.top < bottom && place.top + place.height > top;
      (isSeen ? seen : ahead).push(index);
    }
    const wanted = [...seen, ...ahead];
    for (const index of wanted.slice(0, madeTileCount)) this.#tile(index);
    if (wanted.length > madeTileCount) this.#goOn();
  }

  /** Screen readers and Tab go by the order of the elements. */
  #order() {
    const inOrder = [...this.#tiles.values()].sort((a, b) => a.index - b.index);
    let next = this.#list.firstElementChild;
    for (const tile of inOrder) {
      if (tile.element === next) next = next.nextElementSibling;
      else this.#list.insertBefore(tile.element, next);
    }
  }

  /** @param {number} index @returns {Tile | undefined} made now, if it was not there; `#order` puts it into the page */
  #tile(index) {
    const photo = this.#photos[index];
    if (!photo) return undefined;
    let tile = this.#tiles.get(photo.id);
    if (!tile) {
      tile = new Tile(photo.id, !this.#known.has(photo.id));
      this.#known.add(photo.id);
      tile.mark(this.#markOf(photo.id));
      this.#tiles.set(photo.id, tile);
      this.#put(tile, index);
    }
    return tile;
  }

  /** @param {Tile} tile @param {number} index */
  #put(tile, index) {
    const photo = this.#photos[index];
    const place = this.#places[index];
    if (!photo || !place) return;
    tile.show(photo);
    tile.place(place, index, this.#photos.length);
  }

  /** Photos that are there no more. @param {readonly import('../model.js').Photo[]} before */
  #letGo(before) {
    for (const [id, tile] of this.#tiles) {
      if (this.#indices.has(id)) continue;
      if (tile.element.contains(document.activeElement)) this.#moveFocusFrom(id, before);
      tile.release();
      this.#tiles.delete(id);
      this.#known.delete(id);
    }
  }

  /** @param {string} id @param {readonly import('../model.js').Photo[]} before */
  #moveFocusFrom(id, before) {
    const at = before.findIndex((photo) => photo.id === id);
    const left = [...before.slice(at + 1), ...before.slice(0, at).toReversed()].find((photo) => this.#tiles.has(photo.id) && this.#indices.has(photo.id));
    if (left) this.#tiles.get(left.id)?.open.focus({ preventScroll: true });
  }

  /** @param {string | null} id @param {boolean} [isChosen] it has the focus, or had it last */
  #setCurrent(id, isChosen = false) {
    this.#isCurrentChosen = isChosen;
    const old = this.#current === null ? undefined : this.#tiles.get(this.#current);
    if (old) old.open.tabIndex = -1;
    this.#current = id;
    const tile = id === null ? undefined : this.#tiles.get(id);
    if (tile) tile.open.tabIndex = 0;
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
    const at = this.#indices.get(id) ?? 0;
    const onwards = language.direction === 'rtl' ? -1 : 1;
    const steps = {
      ArrowLeft: at - onwards, ArrowRight: at + onwards, Home: 0, End: this.#photos.length - 1, ArrowUp: inNextRow(this.#places, at, -1), ArrowDown: inNextRow(this.#places, at, 1),
    };
    if (!(key in steps)) return false;
    const photo = this.#photos[steps[/** @type {keyof typeof steps} */ (key)]];
    if (photo) this.focus(photo.id);
    return true;
  }
}

/** @param {EventTarget | null} target */
function photoIdAt(target) {
  const tile = target instanceof Element ? target.closest('#grid [data-photo]') : null;
  return tile instanceof HTMLElement ? (tile.dataset.photo ?? null) : null;
}

/** @param {Element} element */
function below(element) {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom };
}
