// What somebody sees who opens a link: what they are invited to, a name, and one button.

import { button, find } from './elements.js';
import { askName, showProblem } from './naming.js';
import { setWords } from './wording.js';
import { text } from '../language.js';
import { causeOf, errorCode } from '../causes.js';

/** @typedef {import('../../groupactivities/index.js').Invitation} Invitation */

/** @type {Record<string, import('../language.js').TextKey>} */
const titles = {
  locked: 'join.title-locked', 'invitation-ended': 'join.title-ended', declined: 'join.title-declined', 'not-answered': 'join.title-not-answered', 'too-many-waiting': 'join.title-locked',
};

export class JoinPage {
  /** @type {Invitation | null} */
  #invitation = null;
  #field = find('join-link', HTMLInputElement);

  /**
   * @param {object} doors
   * @param {(text: string) => Invitation} doors.parse throws a `HearthError`
   * @param {(invitation: Invitation, name: string) => Promise<void>} doors.join
   * @param {(invitation: Invitation) => Promise<void>} doors.joinAsWall
   * @param {() => void} doors.stop ends a `join` that waits to be let in
   * @param {boolean} doors.isSecure
   */
  constructor({ parse, join, joinAsWall, stop, isSecure }) {
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
      else await this.#tryAt(() => join(invitation, name));
    });
    button('join-cancel').addEventListener('click', stop);
    button('join-wall').addEventListener('click', async () => {
      const invitation = this.#read(this.#field.value) ?? this.#invitation;
      if (invitation === null) return;
      try {
        await this.#tryAt(() => joinAsWall(invitation));
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

  /** Shows the waiting at a door, while there is one. @param {import('../model.js').SharingState} sharing */
  draw({ stage, connection }) {
    const isWaiting = stage === 'connecting' && connection === 'waiting';
    const waiting = find('join-waiting', HTMLDivElement);
    if (waiting.hidden !== isWaiting) return;
    waiting.hidden = !isWaiting;
    find('join-form', HTMLFormElement).hidden = isWaiting;
    find('join-waiting-text', HTMLParagraphElement).textContent = isWaiting ? text('join.waiting') : '';
    // Whoever sits at the keyboard stays where they were.
    button(isWaiting ? 'join-cancel' : 'join-button').focus();
  }

  /** The title says in a few words how it went at the door. @param {() => Promise<void>} attempt */
  async #tryAt(attempt) {
    this.#head('join.title', true);
    try {
      await attempt();
    } catch (error) {
      const code = errorCode(error);
      if (code === 'aborted') return;
      const title = titles[code];
      if (title) this.#head(title, false);
      throw error;
    }
  }

  /** @param {import('../language.js').TextKey} title @param {boolean} isInviting */
  #head(title, isInviting) {
    setWords('join-title', title);
    find('join-text', HTMLParagraphElement).hidden = !isInviting;
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
