// The line above the photos: in which order, whose, how to select some, and how to save all.

import { language, text } from '../language.js';
import { peopleIn } from '../arrangement.js';
import { shownText } from '../photos/names.js';
import { button, find, make } from './elements.js';

/** @typedef {import('../arrangement.js').Arrangement} Arrangement */

export class Tools {
  #order = find('order', HTMLSelectElement);
  #person = find('person', HTMLSelectElement);
  #drawn = '';

  /**
   * @param {import('../choices.js').ChoiceKeeper} keeper
   * @param {{ changed: () => void, select: () => void, saveAll: () => void }} wishes
   */
  constructor(keeper, wishes) {
    this.keeper = keeper;
    this.#order.value = keeper.choices.order;
    this.#order.addEventListener('change', () => {
      keeper.choose({ order: this.#order.value === 'taken' ? 'taken' : 'added' });
      wishes.changed();
    });
    this.#person.addEventListener('change', () => wishes.changed());
    button('select').addEventListener('click', () => wishes.select());
    button('save-all').addEventListener('click', () => wishes.saveAll());
  }

  /** @returns {Arrangement} what is wanted now */
  get arrangement() {
    return { order: this.keeper.choices.order, person: this.#person.value === '' ? null : this.#person.value };
  }

  /** Before the photos are arranged: whoever has no photo any more is no choice any more. @param {readonly import('../model.js').Photo[]} photos all of them */
  draw(photos) {
    const count = photos.filter(({ isLeaving }) => !isLeaving).length;
    find('tools', HTMLElement).hidden = count === 0;
    this.#order.hidden = count < 2;
    button('select').hidden = count < 2;
    button('save-all').hidden = count < 2;
    const people = peopleIn(photos);
    find('person-choice', HTMLLabelElement).hidden = people.length < 2 && this.#person.value === '';
    const drawn = JSON.stringify([language.code, people]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const wanted = this.#person.value;
    const named = people.map(({ key, name, isMe, count: theirs }) => {
      const shown = isMe ? text('tools.mine') : shownText(name, text('people.somebody'));
      return make('option', { value: key, textContent: text('tools.person-count', { name: shown, count: theirs }) });
    });
    this.#person.replaceChildren(make('option', { value: '', textContent: text('tools.everyone') }), ...named);
    this.#person.value = people.some(({ key }) => key === wanted) ? wanted : '';
  }
}
