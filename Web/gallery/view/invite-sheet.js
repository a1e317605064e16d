// The sheet from which others are invited: a QR code to point a phone at, the link, and the code to compare.

import { button, find, makeClosable } from './elements.js';
import { text } from '../language.js';
import { qrPicture } from './qr-picture.js';

export class InviteSheet {
  #dialog = find('invite-dialog', HTMLDialogElement);
  #field = find('invite-link', HTMLInputElement);
  #drawnLink = '';

  /** @param {import('../model.js').Gallery} gallery */
  constructor(gallery) {
    this.gallery = gallery;
    makeClosable(this.#dialog);
    button('invite-copy').addEventListener('click', () => this.#copy());
    this.#field.addEventListener('focus', () => this.#field.select());
    const send = button('invite-send');
    send.hidden = typeof navigator.share !== 'function';
    send.addEventListener('click', () => {
      // Closing the system's own sheet rejects; that is no fault.
      navigator.share({ title: text('invite.send-title'), url: this.gallery.sharing.link }).catch(() => {});
    });
  }

  open() {
    this.draw();
    if (!this.#dialog.open) this.#dialog.showModal();
    button('invite-copy').focus();
  }

  /** There is nothing to invite to any more. */
  close() {
    if (this.#dialog.open) this.#dialog.close();
  }

  draw() {
    const { link, code } = this.gallery.sharing;
    find('invite-code', HTMLOutputElement).textContent = code;
    if (link === this.#drawnLink) return;
    this.#drawnLink = link;
    this.#field.value = link;
    find('invite-qr', HTMLDivElement).replaceChildren(qrPicture(link));
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#field.value);
      this.#field.select();
      this.gallery.notify({ kind: 'copied' });
    } catch {
      this.#field.select();
      this.gallery.notify({ kind: 'not-copied' });
    }
  }
}
