// Where one says who else may join and when the link ends, in the sheet of the invitation; and the sentence that tells everybody how it stands.

import { hasEnded } from '../entrance.js';
import { language, text } from '../language.js';
import { find } from './elements.js';

/** @typedef {import('../entrance.js').DoorMode} DoorMode */
/** @typedef {import('../entrance.js').EndChoice} EndChoice */

export class DoorChoices {
  #mode = find('door-mode', HTMLSelectElement);
  #end = find('door-end', HTMLSelectElement);

  /** @param {{ setMode: (mode: DoorMode) => Promise<void>, setEnd: (choice: EndChoice) => Promise<void> }} sets neither rejects */
  constructor({ setMode, setEnd }) {
    this.#mode.addEventListener('change', () => void setMode(/** @type {DoorMode} */ (this.#mode.value)).then(() => this.draw()));
    this.#end.addEventListener('change', () => void setEnd(/** @type {EndChoice} */ (this.#end.value)).then(() => this.draw()));
  }

  /** @param {import('../model.js').SharingState} [sharing] as last drawn where it is left out */
  draw(sharing = this.drawn) {
    if (sharing === undefined) return;
    this.drawn = sharing;
    const { door } = sharing;
    const set = find('door-end-set', HTMLOptionElement);
    set.hidden = door.closesAt === null;
    set.textContent = door.closesAt === null ? '' : text(hasEnded(door, new Date()) ? 'door.end-past' : 'door.end-at', { date: dateText(door.closesAt) });
    this.#mode.value = door.mode;
    this.#end.value = door.closesAt === null ? 'never' : 'set';
    const words = sentence(door);
    // Where the link alone opens nothing, it would be untrue.
    find('invite-hint', HTMLParagraphElement).hidden = door.isConfirmed && (door.mode !== 'open' || hasEnded(door, new Date()));
    for (const id of ['door-state', 'people-door']) {
      const line = find(id, HTMLParagraphElement);
      line.hidden = words === '';
      line.dataset.mode = door.mode;
      if (line.textContent !== words) line.textContent = words;
    }
  }

  /** @type {import('../model.js').SharingState | undefined} */
  drawn = undefined;
}

/** @param {import('../entrance.js').GalleryDoor} door */
function sentence(door) {
  if (!door.isConfirmed) return text('door.unconfirmed');
  if (hasEnded(door, new Date())) return text('door.has-ended');
  if (door.mode === 'locked') return text('door.is-locked');
  if (door.mode === 'knock') return text('door.is-knock');
  return door.closesAt === null ? '' : text('door.will-end', { date: dateText(door.closesAt) });
}

/** @param {Date} date */
function dateText(date) {
  return date.toLocaleString(language.code === 'en' ? 'en-GB' : language.locale, { dateStyle: 'medium', timeStyle: 'short' });
}
