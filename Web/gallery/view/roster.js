// Who is here: faces in the bar, names in a sheet. Names are text from strangers.

import { button, find, make, makeClosable } from './elements.js';
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
  draw({ people, code, stage }) {
    const open = button('roster-button');
    open.hidden = people.length === 0 || stage !== 'together';
    if (open.hidden && this.#dialog.open) this.#dialog.close();
    find('roster-count', HTMLSpanElement).textContent = people.length === 1 ? 'Only you' : `${people.length} here`;
    open.setAttribute('aria-label', `Who is here: ${people.map(nameOf).join(', ')}`);
    find('roster-faces', HTMLSpanElement).replaceChildren(...people.slice(0, faceCountLimit).map(face));
    find('people-code', HTMLOutputElement).textContent = code;
    find('roster', HTMLUListElement).replaceChildren(...people.map(line));
  }
}

/** @param {Person} person */
function line(person) {
  const item = make('li', { data: { participant: person.id, name: person.name, presence: person.isAway ? 'away' : 'here' } });
  item.append(face(person), make('b', { textContent: nameOf(person) }), make('span', { textContent: person.isLocal ? 'you' : person.isAway ? 'away' : '' }));
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
  return shownText(person.name, 'Somebody');
}

/** @param {string} id @returns {number} degrees, the same on every screen */
function hueOf(id) {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 3_600;
  return sum / 10;
}
