// What somebody sees who opens a link: what they are invited to, a name, and one button.

import { button, find } from './elements.js';
import { askName, showProblem } from './naming.js';
import { errorCode } from '../originals.js';

/** @typedef {import('../../groupactivities/index.js').Invitation} Invitation */

export class JoinPage {
  /** @type {Invitation | null} */
  #invitation = null;
  #field = find('join-link', HTMLInputElement);

  /**
   * @param {object} doors
   * @param {(text: string) => Invitation} doors.parse throws a `HearthError`
   * @param {(invitation: Invitation, name: string) => Promise<void>} doors.join
   * @param {boolean} doors.isSecure
   */
  constructor({ parse, join, isSecure }) {
    this.parse = parse;
    this.isSecure = isSecure;
    askName({ form: 'join-form', field: 'join-name', problem: 'join-problem', submit: 'join-button' }, async (name) => {
      const invitation = this.#read(this.#field.value) ?? this.#invitation;
      if (invitation === null) {
        parse(this.#field.value);
        return;
      }
      // Another server than the one this page came from has a page of its own, and this one may not talk to it.
      if (invitation.origin !== location.origin) location.assign(invitation.link);
      else await join(invitation, name);
    });
    this.#field.addEventListener('input', () => this.#check(this.#field.value));
  }

  /** @param {string} link as it stood in the address bar */
  open(link) {
    document.body.dataset.stage = 'invited';
    this.#setVisible(true);
    find('join-host', HTMLSpanElement).textContent = `The photos travel through ${location.host}, which cannot see them.`;
    button('join-button').disabled = !this.isSecure;
    this.#check(link);
    if (this.#invitation !== null && this.isSecure) find('join-name', HTMLInputElement).focus();
  }

  close() {
    document.body.dataset.stage = 'gallery';
    this.#setVisible(false);
  }

  /** @param {import('../texts.js').Cause} cause why coming back did not work */
  tell(cause) {
    showProblem('join-problem', cause);
  }

  /** @param {string} text */
  #check(text) {
    try {
      this.#invitation = this.parse(text);
      showProblem('join-problem', null);
    } catch (error) {
      this.#invitation = null;
      this.#askForLink();
      showProblem('join-problem', { code: errorCode(error) });
    }
  }

  /** @param {string} text @returns {Invitation | null} */
  #read(text) {
    try {
      return this.parse(text);
    } catch {
      return null;
    }
  }

  #askForLink() {
    const label = find('join-link-label', HTMLLabelElement);
    if (!label.hidden) return;
    label.hidden = false;
    find('join-title', HTMLHeadingElement).textContent = 'This link does not work';
    find('join-text', HTMLParagraphElement).textContent = 'It should lead to photos that somebody shares with you.';
  }

  /** @param {boolean} isVisible */
  #setVisible(isVisible) {
    find('join', HTMLElement).hidden = !isVisible;
    find('grid', HTMLUListElement).hidden = isVisible;
  }
}
