// Selecting photos: by a press with a key held, or by single presses once it has begun; and what can be done with those that are selected.

import { language, text } from '../language.js';
import { extended, noSelection, retained, toggled } from '../selection.js';
import { button, find } from './elements.js';

/** @typedef {import('../selection.js').Selection} Selection */
/** @typedef {{ drawn: (selection: Selection) => void, save: (ids: string[]) => void, remove: (ids: string[]) => void }} SelectingWishes */

export class Selecting {
  /** @type {Selection} */
  #selection = noSelection;
  /** @type {string[]} */
  #order = [];

  /** @param {SelectingWishes} wishes */
  constructor(wishes) {
    this.wishes = wishes;
    const list = find('grid', HTMLUListElement);
    // Before the grid hears of it.
    list.addEventListener('click', (event) => this.#click(event), { capture: true });
    document.addEventListener('keydown', (event) => this.#key(event), { capture: true });
    button('select-all').addEventListener('click', () => this.#set({ isOn: true, ids: new Set(this.#order), anchor: null }));
    button('select-done').addEventListener('click', () => this.end());
    button('select-save').addEventListener('click', () => wishes.save(this.#ids()));
    button('select-remove').addEventListener('click', () => {
      const ids = this.#ids();
      this.end();
      wishes.remove(ids);
    });
    language.addEventListener('change', () => this.#draw());
  }

  get isOn() {
    return this.#selection.isOn;
  }

  /** @param {string} [photoId] the first one */
  begin(photoId) {
    this.#set(photoId === undefined ? { ...noSelection, isOn: true } : toggled(this.#selection, photoId));
  }

  end() {
    if (!this.#selection.isOn) return;
    const isInside = find('selection', HTMLElement).contains(document.activeElement);
    this.#set(noSelection);
    if (isInside) button('select').focus();
  }

  /** The photos that are shown now, in their order. @param {readonly import('../model.js').Photo[]} photos */
  follow(photos) {
    this.#order = photos.map(({ id }) => id);
    const next = retained(this.#selection, this.#order);
    if (next !== this.#selection) this.#set(next);
    if (photos.length === 0) this.end();
  }

  /** In the order in which they are shown. */
  #ids() {
    return this.#order.filter((id) => this.#selection.ids.has(id));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const target = event.target instanceof Element ? event.target : null;
    const id = target?.closest('.tile-menu') ? undefined : /** @type {HTMLElement | null | undefined} */ (target?.closest('[data-photo]'))?.dataset.photo;
    if (id === undefined || !(this.isOn || event.shiftKey || event.ctrlKey || event.metaKey)) return;
    event.stopPropagation();
    event.preventDefault();
    this.#set(event.shiftKey ? extended(this.#selection, id, this.#order) : toggled(this.#selection, id));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.isOn || document.querySelector('dialog[open]') !== null) return;
    if (event.key === 'Escape') this.end();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) button('select-all').click();
    else if ((event.key === 'Delete' || event.key === 'Backspace') && this.#selection.ids.size > 0) button('select-remove').click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Selection} selection */
  #set(selection) {
    this.#selection = selection;
    this.#draw();
    this.wishes.drawn(selection);
  }

  #draw() {
    const { isOn, ids } = this.#selection;
    find('selection', HTMLElement).hidden = !isOn;
    document.body.classList.toggle('selecting', isOn);
    if (!isOn) return;
    find('select-count', HTMLElement).textContent = ids.size === 0 ? text('select.none') : text('select.count', { count: ids.size });
    for (const name of ['select-save', 'select-remove']) button(name).disabled = ids.size === 0;
  }
}
