// What somebody sees who opens a link: what they are invited to, a name, and one button.

import { button, find } from './elements.js';
import { askName, showProblem } from './naming.js';
import { setWords } from './wording.js';
import { text } from '../language.js';
import { causeOf } from '../causes.js';

/** @typedef {import('../../groupactivities/index.js').Invitation} Invitation */

export class JoinPage {
  /** @type {Invitation | null} */
  #invitation = null;
  #field = find('join-link', HTMLInputElement);

  /**
   * @param {object} doors
   * @param {(text: string) => Invitation} doors.parse throws a `HearthError`
   * @param {(invitation: Invitation, name: string) => Promise<void>} doors.join
   * @param {(invitation: Invitation) => Promise<void>} doors.joinAsWall
   * @param {boolean} doors.isSecure
   */
  constructor({ parse, join, joinAsWall, isSecure }) {
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
    button('join-wall').addEventListener('click', async () => {
      const invitation = this.#read(this.#field.value) ?? this.#invitation;
      if (invitation === null) return;
      try {
        await joinAsWall(invitation);
      } catch (error) {
        showProblem('join-problem', causeOf(error));
      }
    });
    this.#field.addEventListener('input', () => this.#check(this.#field.value));
  }

  /** @param {string} link as it stood in the address bar */
  open(link) {
    document.body.dataset.stage = 'invited';
    this.#setVisible(true);
    this.redraw();
    button('join-button').disabled = !this.isSecure;
    this.#check(link);
    if (this.#invitation !== null && this.isSecure) find('join-name', HTMLInputElement).focus();
  }

  /** In the language that the page has now. */
  redraw() {
    find('join-host', HTMLSpanElement).textContent = text('join.host', { host: location.host });
  }

  close() {
    document.body.dataset.stage = 'gallery';
    this.#setVisible(false);
  }

  /** @param {import('../causes.js').Cause} cause why coming back did not work */
  tell(cause) {
    showProblem('join-problem', cause);
  }

  /** @param {string} link */
  #check(link) {
    try {
      this.#invitation = this.parse(link);
      showProblem('join-problem', null);
    } catch (error) {
      this.#invitation = null;
      this.#askForLink();
      showProblem('join-problem', causeOf(error));
    }
    // Without a link there is nothing to show on it.
    button('join-wall').hidden = !this.isSecure || this.#invitation === null;
  }

  /** @param {string} link @returns {Invitation | null} */
  #read(link) {
    try {
      return this.parse(link);
    } catch {
      return null;
    }
  }

  #askForLink() {
    const label = find('join-link-label', HTMLLabelElement);
    if (!label.hidden) return;
    label.hidden = false;
    setWords('join-title', 'join.title-broken');
    setWords('join-text', 'join.text-broken');
  }

  /** @param {boolean} isVisible */
  #setVisible(isVisible) {
    find('join', HTMLElement).hidden = !isVisible;
    find('grid', HTMLUListElement).hidden = isVisible;
  }
}
