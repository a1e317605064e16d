// Says where one adds what happens to location and camera data, and what has happened; lets people keep them, on this device.

import { language, text } from '../language.js';
import { button, find, makeClosable } from './elements.js';

/** @typedef {import('../intake.js').IntakeReport} IntakeReport */

export class Privacy {
  /** @type {IntakeReport | null} */
  #report = null;
  #dialog = find('privacy-dialog', HTMLDialogElement);
  #choice = find('privacy-choice', HTMLInputElement);

  /** @param {import('../choices.js').ChoiceKeeper} keeper */
  constructor(keeper) {
    this.keeper = keeper;
    makeClosable(this.#dialog);
    for (const id of ['privacy', 'empty-privacy']) button(id).addEventListener('click', () => this.#dialog.showModal());
    this.#choice.checked = keeper.choices.keepsMetadata;
    this.#choice.addEventListener('change', () => {
      keeper.choose({ keepsMetadata: this.#choice.checked });
      this.#report = null;
      this.#draw();
    });
    language.addEventListener('change', () => this.#draw());
    this.#draw();
  }

  /** @param {IntakeReport} report of what was added last */
  tell(report) {
    this.#report = report;
    this.#draw();
  }

  #draw() {
    const { keepsMetadata } = this.keeper.choices;
    const { cleaned, kept } = this.#report ?? { cleaned: 0, kept: 0 };
    const general = text(keepsMetadata ? 'privacy.keeps' : 'privacy.removes');
    const words = cleaned > 0 ? text('privacy.removed', { count: cleaned }) : kept > 0 ? text('privacy.kept', { count: kept }) : general;
    find('privacy-text', HTMLElement).textContent = words;
    find('empty-privacy-text', HTMLElement).textContent = general;
    for (const id of ['privacy', 'empty-privacy']) {
      button(id).dataset.keeps = String(keepsMetadata);
      button(id).dataset.removed = String(cleaned);
      button(id).dataset.kept = String(kept);
    }
  }
}
