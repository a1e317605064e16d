// Lets wheel, fingers, mouse and keys zoom and move the picture in the viewer, and swipe to the next one.

import { closeScale, fitted, movedBy, scaledTo } from '../zoom.js';

/** @typedef {import('../zoom.js').Zoom} Zoom */
/** @typedef {{ step: (by: -1 | 1) => void, changed: (zoom: Zoom) => void }} ZoomWishes `step` by: 1 is the next photo */

const swipePixels = 50;
const tapPixels = 10;
const doubleTapMilliseconds = 350;
const doubleTapPixels = 40;
const keyFactor = 1.5;
const keyPanPixels = 80;
const wheelLinePixels = 16;

export class Zooming {
  /** @type {Zoom} */
  #zoom = fitted;
  /** The element that is moved, and the picture in it. @type {{ sheet: HTMLElement, picture: HTMLImageElement } | null} */
  #shown = null;
  /** @type {Map<number, { x: number, y: number }>} */
  #pointers = new Map();
  /** @type {{ x: number, y: number } | null} */
  #start = null;
  #wasPinched = false;
  #lastTap = { at: -Infinity, x: 0, y: 0 };

  /** @param {HTMLElement} stage @param {ZoomWishes} wishes */
  constructor(stage, wishes) {
    this.stage = stage;
    this.wishes = wishes;
    stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    stage.addEventListener('pointerdown', (event) => this.#down(event));
    stage.addEventListener('pointermove', (event) => this.#move(event));
    stage.addEventListener('pointerup', (event) => this.#up(event));
    stage.addEventListener('pointercancel', (event) => this.#forget(event));
    new ResizeObserver(() => this.#set(movedBy(this.#zoom, 0, 0, this.#room()))).observe(stage);
  }

  get isZoomed() {
    return this.#zoom.scale > 1;
  }

  /** Another photo: it fits. */
  reset() {
    this.#shown = null;
    this.#pointers.clear();
    this.#set(fitted);
  }

  /** The same photo's original in place of its preview keeps its place. @param {HTMLElement} sheet @param {HTMLImageElement} picture */
  show(sheet, picture) {
    this.#shown = { sheet, picture };
    this.#set(this.#zoom);
  }

  /** @param {string} key @returns {boolean} whether it is one of the keys that zoom or, zoomed in, move */
  key(key) {
    if (!this.#shown) return false;
    const middle = { x: 0, y: 0 };
    if (key === '+' || key === '=') this.#set(scaledTo(this.#zoom, this.#zoom.scale * keyFactor, middle, this.#room()));
    else if (key === '-' || key === '_') this.#set(scaledTo(this.#zoom, this.#zoom.scale / keyFactor, middle, this.#room()));
    else if (key === '0') this.#set(fitted);
    else {
      const [x, y] = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [0, 0];
      if (!this.isZoomed || (x === 0 && y === 0)) return false;
      this.#set(movedBy(this.#zoom, (x ?? 0) * keyPanPixels, (y ?? 0) * keyPanPixels, this.#room()));
    }
    return true;
  }

  /** @param {Zoom} zoom */
  #set(zoom) {
    this.#zoom = zoom;
    this.stage.toggleAttribute('data-zoomed', zoom.scale > 1);
    this.#place(zoom.x, zoom.y);
    this.wishes.changed(zoom);
  }

  /** @param {number} x @param {number} y */
  #place(x, y) {
    if (this.#shown) this.#shown.sheet.style.transform = this.#zoom.scale === 1 && x === 0 && y === 0 ? '' : `translate(${x}px, ${y}px) scale(${this.#zoom.scale})`;
  }

  /** @returns {import('../zoom.js').Room} */
  #room() {
    const stage = { width: this.stage.clientWidth, height: this.stage.clientHeight };
    const picture = this.#shown?.picture;
    if (!picture) return { stage, picture: stage, pixels: stage };
    const isTurned = Number(picture.dataset.turn ?? 1) >= 5;
    const size = { width: picture.offsetWidth, height: picture.offsetHeight };
    const pixels = { width: picture.naturalWidth, height: picture.naturalHeight };
    return { stage, picture: isTurned ? { width: size.height, height: size.width } : size, pixels: isTurned ? { width: pixels.height, height: pixels.width } : pixels };
  }

  /** From the stage's middle. @param {{ clientX: number, clientY: number }} event */
  #point({ clientX, clientY }) {
    const { left, top, width, height } = this.stage.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!this.#shown) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? wheelLinePixels : 1);
    // Two fingers on a trackpad come as a wheel with Ctrl, in far smaller steps.
    const factor = Math.exp(-Math.max(-120, Math.min(120, pixels)) * (event.ctrlKey ? 0.012 : 0.0028));
    this.#set(scaledTo(this.#zoom, this.#zoom.scale * factor, this.#point(event), this.#room()));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    this.stage.setPointerCapture(event.pointerId);
    const point = this.#point(event);
    if (this.#pointers.size === 0) {
      this.#start = point;
      this.#wasPinched = false;
    }
    this.#pointers.set(event.pointerId, point);
    if (this.#pointers.size > 1) {
      this.#wasPinched = true;
      this.#place(this.#zoom.x, this.#zoom.y);
    }
    this.stage.setAttribute('data-dragging', '');
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#point(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other && this.#pointers.size === 2) this.#pinch(before, now, other);
    else if (this.isZoomed) this.#set(movedBy(this.#zoom, now.x - before.x, now.y - before.y, this.#room()));
    else if (!this.#wasPinched && this.#start) this.#place(now.x - this.#start.x, 0);
  }

  /** @param {{ x: number, y: number }} before @param {{ x: number, y: number }} now @param {{ x: number, y: number }} other */
  #pinch(before, now, other) {
    const room = this.#room();
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const scaled = scaledTo(this.#zoom, this.#zoom.scale * factor, middle, room);
    this.#set(movedBy(scaled, (now.x - before.x) / 2, (now.y - before.y) / 2, room));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const [start, now] = [this.#start, this.#point(event)];
    const isLast = this.#forget(event);
    if (!isLast || this.#wasPinched || !start) return;
    const [across, down] = [now.x - start.x, now.y - start.y];
    if (Math.hypot(across, down) < tapPixels) this.#tap(now, event.timeStamp);
    else if (!this.isZoomed && Math.abs(across) >= swipePixels && Math.abs(across) >= Math.abs(down) * 1.5) {
      const isForward = (across < 0) === (getComputedStyle(this.stage).direction !== 'rtl');
      this.wishes.step(isForward ? 1 : -1);
    }
  }

  /** @param {{ x: number, y: number }} point @param {number} at milliseconds */
  #tap(point, at) {
    const last = this.#lastTap;
    const isDouble = at - last.at < doubleTapMilliseconds && Math.hypot(point.x - last.x, point.y - last.y) < doubleTapPixels;
    this.#lastTap = isDouble ? { at: -Infinity, x: 0, y: 0 } : { at, ...point };
    if (!isDouble || !this.#shown) return;
    const room = this.#room();
    this.#set(this.isZoomed ? fitted : scaledTo(this.#zoom, closeScale(room), point, room));
  }

  /** @param {PointerEvent} event @returns {boolean} whether no pointer is left of those that were down */
  #forget(event) {
    if (!this.#pointers.delete(event.pointerId)) return false;
    if (this.#pointers.size > 0) return false;
    this.stage.removeAttribute('data-dragging');
    this.#place(this.#zoom.x, this.#zoom.y);
    return true;
  }
}
