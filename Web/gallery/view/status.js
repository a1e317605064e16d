// The honest line: how the connection stands, what is still moving, and which buttons make sense now.

import { button, find } from './elements.js';
import { bannerFor } from '../banner.js';
import { countsOf, statusOf } from '../states.js';
import { countsText, statusText } from '../texts.js';
import { setWords } from './wording.js';

const startable = new Set(['alone', 'not-sharing', 'ended', 'left', 'closed']);

export class StatusLine {
  /** @type {import('../banner.js').Banner | null} */
  #banner = null;

  /**
   * @param {import('../model.js').Gallery} gallery
   * @param {boolean} isSecure
   * @param {(does: 'rejoin' | 'start-over' | 'intend-all') => void} act
   */
  constructor(gallery, isSecure, act) {
    this.gallery = gallery;
    this.isSecure = isSecure;
    button('banner-action').addEventListener('click', () => this.#banner?.action && act(this.#banner.action.does));
  }

  draw() {
    const { sharing, photos } = this.gallery;
    const status = statusOf(sharing);
    const counts = countsOf(photos);
    const line = find('status', HTMLParagraphElement);
    line.dataset.state = status;
    // What was added while the connection is away is not queued before the relay has said what it has already.
    const unsent = photos.filter((photo) => photo.isMine && photo.isIntended && photo.share === 'private' && photo.failure === null).length;
    const waiting = counts.sending + counts.loading + unsent;
    setText('status-text', statusText(status, waiting));
    const counted = find('counts', HTMLParagraphElement);
    const countText = status === 'reconnecting' ? '' : countsText(counts);
    counted.hidden = countText === '';
    setText('counts', countText);
    for (const name of /** @type {const} */ (['sending', 'loading'])) counted.dataset[name] = String(counts[name]);

    const isTogether = sharing.stage === 'together';
    button('share').hidden = !startable.has(status);
    button('invite').hidden = !isTogether || !sharing.link;
    button('leave').hidden = !isTogether;
    button('end').hidden = sharing.session !== 'joined';
    // One button leads; the others follow.
    button('share').classList.toggle('primary', photos.length > 0);
    button('invite').classList.toggle('primary', isTogether && !startable.has(status));
    find('empty', HTMLElement).hidden = photos.length > 0;
    const isShared = sharing.session === 'joined' && isTogether;
    setWords('empty-title', isShared ? 'empty.title-shared' : 'empty.title');
    find('empty-steps', HTMLOListElement).hidden = isShared;
    find('empty-text', HTMLParagraphElement).hidden = isShared;
    find('empty-shared', HTMLParagraphElement).hidden = !isShared;
    document.body.classList.toggle('together', isTogether);
    this.#drawBanner(bannerFor(sharing, counts, this.isSecure));
  }

  /** @param {import('../banner.js').Banner | null} banner */
  #drawBanner(banner) {
    if (JSON.stringify(banner) === JSON.stringify(this.#banner)) return;
    this.#banner = banner;
    const element = find('banner', HTMLElement);
    element.hidden = banner === null;
    if (banner === null) return;
    element.dataset.kind = banner.kind;
    const words = find('banner-text', HTMLParagraphElement);
    if (banner.isUrgent) words.setAttribute('role', 'alert');
    else words.removeAttribute('role');
    words.textContent = banner.text;
    if (banner.command) {
      const command = document.createElement('code');
      command.textContent = banner.command;
      words.append(' ', command);
    }
    const action = button('banner-action');
    action.hidden = !banner.action;
    action.textContent = banner.action?.label ?? '';
  }
}

/** Unchanged text is not set again, or it would be read aloud again. @param {string} id @param {string} text */
function setText(id, text) {
  const element = document.getElementById(id);
  if (element && element.textContent !== text) element.textContent = text;
}
