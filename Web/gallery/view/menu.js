// The small menu of one photo, opened by mouse, long press, key or its button.

import { button, find, makeClosable } from './elements.js';
import { text } from '../language.js';

/** @typedef {import('../model.js').Photo} Photo */
/** @typedef {{ open: (id: string) => void, save: (id: string) => void, again: (id: string) => void, select: (id: string) => void, remove: (id: string) => void }} MenuWishes */

const marginPixels = 8;

export class Menu {
  #dialog = find('menu', HTMLDialogElement);
  /** @type {string | null} */
  #photoId = null;

  /** @param {MenuWishes} wishes */
  constructor(wishes) {
    makeClosable(this.#dialog);
    for (const name of /** @type {const} */ (['open', 'save', 'again', 'select', 'remove'])) {
      button(`menu-${name}`).addEventListener('click', () => {
        const id = this.#photoId;
        this.#dialog.close();
        if (id !== null) wishes[name](id);
      });
    }
    this.#dialog.addEventListener('contextmenu', (event) => event.preventDefault());
    this.#dialog.addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param {Photo} photo @param {boolean} isShared @param {{ x: number, y: number }} at */
  show(photo, isShared, at) {
    if (this.#dialog.open) return;
    this.#photoId = photo.id;
    button('menu-save').disabled = photo.load === 'lost';
    button('menu-again').hidden = photo.failure === null;
    find('menu-remove-text', HTMLSpanElement).textContent = text(isShared ? 'button.remove-for-all' : 'button.remove');
    this.#dialog.showModal();
    const { offsetWidth: width, offsetHeight: height } = this.#dialog;
    this.#dialog.style.left = `${Math.max(marginPixels, Math.min(at.x, innerWidth - width - marginPixels))}px`;
    this.#dialog.style.top = `${Math.max(marginPixels, Math.min(at.y, innerHeight - height - marginPixels))}px`;
    button('menu-open').focus();
  }

  /** @param {string} photoId closes when its photo has gone */
  gone(photoId) {
    if (photoId === this.#photoId && this.#dialog.open) this.#dialog.close();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const items = [...this.#dialog.querySelectorAll('button')].filter((item) => !item.hidden && !item.disabled);
    const at = items.findIndex((item) => item === document.activeElement);
    const steps = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    items[steps[/** @type {keyof typeof steps} */ (event.key)]]?.focus();
  }
}
