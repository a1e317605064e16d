// The wall: this screen shows the photos by itself, large, one after the other, with the code by which people join; nothing can be pressed.

import { find, make } from './elements.js';
import { qrPicture } from './qr-picture.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';
import { formats } from '../photos/formats.js';
import { orientationToApply } from '../photos/orientation.js';
import { statusOf } from '../states.js';
import { statusText } from '../texts.js';
import { hasUnseen, nextOnWall } from '../wall-order.js';

/** @typedef {import('../model.js').Photo} Photo */

const turnMilliseconds = 8_000;
/** What has just come does not wait for the end of a turn, and yet nobody's photo flies by. */
const shortestTurnMilliseconds = 2_500;
const fadeMilliseconds = 1_600;

export class Wall {
  #screen = find('wall', HTMLElement);
  #stage = find('wall-stage', HTMLDivElement);
  #isOpen = false;
  /** @type {Map<string, number>} */
  #turns = new Map();
  #turn = 0;
  #shownId = '';
  #shownAt = 0;
  #isShownWhole = false;
  #isChanging = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #drawnLink = '';

  /**
   * @param {import('../model.js').Gallery} gallery
   * @param {import('../following.js').Following} following
   */
  constructor(gallery, following) {
    this.gallery = gallery;
    this.following = following;
    following.addEventListener('change', () => this.draw());
    document.addEventListener('visibilitychange', () => this.#stayAwake());
  }

  get isOpen() {
    return this.#isOpen;
  }

  open() {
    if (this.#isOpen) return;
    this.#isOpen = true;
    document.body.dataset.stage = 'wall';
    this.#screen.hidden = false;
    this.#stayAwake();
    this.draw();
  }

  close() {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#screen.hidden = true;
    document.body.dataset.stage = 'gallery';
  }

  /** To be called after each change. */
  draw() {
    if (!this.#isOpen) return;
    const { sharing, photos } = this.gallery;
    const state = statusOf(sharing);
    this.#screen.dataset.state = state;
    if (sharing.link !== this.#drawnLink && sharing.link !== '') {
      this.#drawnLink = sharing.link;
      find('wall-qr', HTMLDivElement).replaceChildren(qrPicture(sharing.link));
    }
    const people = sharing.people.filter(({ isLocal }) => !isLocal);
    const { leader } = this.following;
    find('wall-words', HTMLParagraphElement).textContent = state !== 'in-sync' && state !== 'catching-up'
      ? statusText(state, 0)
      : leader !== null ? text('follow.leader', { name: shownText(leader.name, text('people.somebody')) })
      : text('wall.people', { count: people.length });
    find('wall-empty', HTMLParagraphElement).hidden = photos.length > 0;
    if (photos.length === 0) this.#clear();
    else if (!this.gallery.photo(this.#shownId) || this.#isLedElsewhere()) this.#plan(0);
    else if (hasUnseen(photos, this.#turns)) this.#plan(Math.max(0, this.#shownAt + shortestTurnMilliseconds - performance.now()));
    void this.#sharpen();
  }

  /** What is shown was small when its turn came, and its original is here now. */
  async #sharpen() {
    const photo = this.gallery.photo(this.#shownId);
    if (!photo || this.#isShownWhole || !isWhole(photo) || this.#isChanging) return;
    this.#isChanging = true;
    await this.#fadeTo(photo).catch(() => {});
    // Its preview is better than nothing, and a second attempt would end alike.
    this.#isShownWhole = true;
    this.#isChanging = false;
  }

  #isLedElsewhere() {
    const { leader } = this.following;
    return leader !== null && nextOnWall(this.gallery.photos, this.#turns, leader.attachmentId)?.id !== this.#shownId;
  }

  /** @param {number} milliseconds */
  #plan(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#change(), milliseconds);
  }

  async #change() {
    if (!this.#isOpen) return;
    if (this.#isChanging) {
      this.#plan(fadeMilliseconds);
      return;
    }
    const photo = nextOnWall(this.gallery.photos, this.#turns, this.following.leader?.attachmentId ?? null);
    this.#turn += 1;
    if (photo) this.#turns.set(photo.id, this.#turn);
    if (photo && photo.id !== this.#shownId) {
      this.#isChanging = true;
      await this.#fadeTo(photo).catch(() => {});
      this.#isChanging = false;
    }
    this.#plan(turnMilliseconds);
    this.draw();
  }

  /** @param {Photo} photo */
  async #fadeTo(photo) {
    const isOriginal = isWhole(photo);
    const blob = isOriginal ? photo.original : photo.thumbnail ?? photo.original;
    if (blob === null) return;
    const url = URL.createObjectURL(blob);
    const name = shownText(photo.ownerName);
    const picture = make('img', { src: url, alt: shownText(photo.name, text('photo.unnamed')) });
    if (isOriginal && photo.format !== null) picture.dataset.turn = String(await orientationToApply(photo.format, photo.orientation));
    const words = [shownText(photo.caption), name === '' ? '' : text('photo.from', { name })].filter(Boolean).join(' · ');
    const slide = make('figure', { data: { name: photo.name } }, picture, make('figcaption', { textContent: words }));
    try {
      await picture.decode();
    } catch {
      URL.revokeObjectURL(url);
      return;
    }
    const before = [...this.#stage.children];
    this.#shownId = photo.id;
    this.#shownAt = performance.now();
    this.#isShownWhole = isOriginal;
    this.#stage.append(slide);
    // The style has to be seen once without it, or there is nothing to fade from.
    void slide.offsetWidth;
    slide.classList.add('shown');
    for (const old of before) old.classList.remove('shown');
    setTimeout(() => {
      for (const old of before) this.#discard(old);
    }, fadeMilliseconds);
    slide.dataset.url = url;
  }

  #clear() {
    this.#shownId = '';
    for (const slide of [...this.#stage.children]) this.#discard(slide);
  }

  /** @param {Element} slide */
  #discard(slide) {
    slide.remove();
    if (slide instanceof HTMLElement && slide.dataset.url) URL.revokeObjectURL(slide.dataset.url);
  }

  /** A screen lock is lost with the page's visibility and has to be asked for again. */
  async #stayAwake() {
    if (!this.#isOpen || document.visibilityState !== 'visible') return;
    try {
      await navigator.wakeLock?.request('screen');
    } catch {
      // Low battery, or not allowed: the screen's own settings decide then.
    }
  }
}

/** Whether the original is here and can be shown as it is. @param {Photo} photo */
function isWhole(photo) {
  return photo.original !== null && photo.format !== null && formats[photo.format].isAlwaysShown && !photo.isTooLargeToDecode;
}
