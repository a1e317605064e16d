// Who is here: faces in the bar, names in a sheet. Names are text from strangers.

import { button, find, make, makeClosable } from './elements.js';
import { language, text } from '../language.js';
import { shownText } from '../photos/names.js';

/** @typedef {import('../model.js').Person} Person */

const faceCountLimit = 4;

export class Roster {
  #dialog = find('people-dialog', HTMLDialogElement);

  constructor() {
    makeClosable(this.#dialog);
    button('roster-button').addEventListener('click', () => this.#dialog.showModal());
  }

  /** @param {import('../model.js').SharingState} sharing */
  draw({ people, joinedLately, code, stage }) {
    const open = button('roster-button');
    open.hidden = people.length === 0 || stage !== 'together';
    if (open.hidden && this.#dialog.open) this.#dialog.close();
    find('roster-count', HTMLSpanElement).textContent = text('people.count', { count: people.length });
    open.setAttribute('aria-label', text('people.list', { names: new Intl.ListFormat(language.locale, { type: 'unit' }).format(people.map(nameOf)) }));
    find('roster-faces', HTMLSpanElement).replaceChildren(...people.slice(0, faceCountLimit).map(face));
    const joins = find('people-joins', HTMLParagraphElement);
    joins.hidden = joinedLately === 0;
    joins.dataset.count = String(joinedLately);
    joins.textContent = text('people.joined-lately', { count: joinedLately });
    find('people-code', HTMLOutputElement).textContent = code;
    find('roster', HTMLUListElement).replaceChildren(...people.map(line));
  }
}

/** @param {Person} person */
function line(person) {
  const item = make('li', { data: { participant: person.id, name: person.name, presence: person.isAway ? 'away' : 'here' } });
  item.append(face(person), make('b', { textContent: nameOf(person), dir: 'auto' }), make('span', { textContent: person.isLocal ? text('people.you') : person.isAway ? text('people.away') : '' }));
  return item;
}

/** @param {Person} person */
function face(person) {
  const [first = '?'] = nameOf(person);
  const element = make('span', { className: 'face', textContent: first.toUpperCase() });
  element.style.setProperty('--hue', String(hueOf(person.id)));
  element.toggleAttribute('data-away', person.isAway);
  element.setAttribute('aria-hidden', 'true');
  return element;
}

/** @param {Person} person */
function nameOf(person) {
  return shownText(person.name, text('people.somebody'));
}

/** @param {string} id @returns {number} degrees, the same on every screen */
function hueOf(id) {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 3_600;
  return sum / 10;
}
