// Shows one photo for oneself alone: the preview at once, the original as soon as it is here.

import { button, find, make, makeClosable } from './elements.js';
import { orientationToApply } from '../photos/orientation.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';
import { stateOf } from '../states.js';
import { noPictureText, photoStateText, sizeText, takenAtText } from '../texts.js';

/** @typedef {import('../model.js').Photo} Photo */
/** @typedef {{ want: (id: string) => void, save: (id: string) => void, remove: (id: string) => void, closed: (id: string) => void }} ViewerWishes */

const swipePixels = 50;

export class Viewer {
  #dialog = find('viewer', HTMLDialogElement);
  #stage = find('viewer-stage', HTMLDivElement);
  #state = find('viewer-state', HTMLParagraphElement);
  /** @type {string | null} */
  #photoId = null;
  /** @type {Photo | null} */
  #shown = null;
  #url = '';

  /** @param {import('../model.js').Gallery} gallery @param {ViewerWishes} wishes */
  constructor(gallery, wishes) {
    this.gallery = gallery;
    this.wishes = wishes;
    makeClosable(this.#dialog);
    button('viewer-back').addEventListener('click', () => this.#step(-1));
    button('viewer-forward').addEventListener('click', () => this.#step(1));
    button('viewer-save').addEventListener('click', () => this.#photoId !== null && wishes.save(this.#photoId));
    button('viewer-remove').addEventListener('click', () => this.#photoId !== null && wishes.remove(this.#photoId));
    this.#dialog.addEventListener('keydown', (event) => this.#key(event));
    this.#dialog.addEventListener('close', () => this.#closed());
    this.#followSwipes();
  }

  /** @param {string} photoId */
  open(photoId) {
    this.#photoId = photoId;
    this.#shown = null;
    if (!this.#dialog.open) this.#dialog.showModal();
    this.wishes.want(photoId);
    this.draw();
  }

  /** To be called after each change of the photos. */
  draw() {
    if (!this.#dialog.open || this.#photoId === null) return;
    const photo = this.gallery.photo(this.#photoId);
    if (!photo) {
      this.#dialog.close();
      return;
    }
    if (photo === this.#shown) return;
    const before = this.#shown;
    this.#shown = photo;
    this.#drawWords(photo);
    const isSame = before?.id === photo.id && before.original === photo.original && before.thumbnail === photo.thumbnail && before.failure === photo.failure;
    if (!isSame) this.#drawPicture(photo);
  }

  /** In the language that the page has now. */
  redraw() {
    if (this.#shown) this.#drawWords(this.#shown);
  }

  /** @param {Photo} photo */
  #drawWords(photo) {
    const { photos } = this.gallery;
    const at = photos.indexOf(photo);
    find('viewer-name', HTMLHeadingElement).textContent = shownText(photo.name, text('photo.unnamed'));
    const facts = [
      photo.isMine ? text('photo.from-you') : ownerText(photo),
      takenAtText(photo.takenAt),
      photo.width > 0 ? text('photo.dimensions', { width: String(photo.width), height: String(photo.height) }) : '',
      sizeText(photo.sizeBytes),
      text('photo.place', { place: at + 1, count: photos.length }),
    ];
    find('viewer-facts', HTMLParagraphElement).textContent = facts.filter(Boolean).join(' · ');
    const state = stateOf(photo);
    this.#dialog.dataset.state = state;
    this.#dialog.dataset.viewed = photo.id;
    const stateText = state === 'ready' || state === 'local' ? '' : photoStateText(photo, state);
    this.#state.textContent = stateText.charAt(0).toUpperCase() + stateText.slice(1);
    button('viewer-back').disabled = at <= 0;
    button('viewer-forward').disabled = at >= photos.length - 1;
    button('viewer-save').disabled = photo.load === 'lost';
    const isShared = photo.attachmentId !== null;
    button('viewer-remove').setAttribute('aria-label', text(isShared ? 'button.remove-for-all' : 'button.remove'));
  }

  /** @param {Photo} photo */
  async #drawPicture(photo) {
    const { original, thumbnail } = photo;
    URL.revokeObjectURL(this.#url);
    const preview = thumbnail && this.#picture(thumbnail, photo, 'preview');
    if (preview) this.#stage.replaceChildren(preview);
    else this.#stage.replaceChildren(make('p', { textContent: original || photo.failure ? noPictureText(photo) : text('photo.on-its-way') }));
    if (original === null || photo.isTooLargeToDecode || photo.format === null) return;
    const turn = await orientationToApply(photo.format, photo.orientation);
    const picture = this.#picture(original, photo, 'original');
    picture.dataset.turn = String(turn);
    try {
      await picture.decode();
      if (this.#shown?.id !== photo.id || this.#shown.original !== original) return;
      this.#stage.replaceChildren(picture);
    } catch {
      if (this.#shown?.id === photo.id && !thumbnail) this.#stage.replaceChildren(make('p', { textContent: noPictureText(photo) }));
    }
  }

  /** @param {Blob} blob @param {Photo} photo @param {string} className */
  #picture(blob, photo, className) {
    const url = URL.createObjectURL(blob);
    const picture = make('img', { className, src: url, alt: shownText(photo.name), draggable: false });
    if (className === 'original') this.#url = url;
    else picture.addEventListener('load', () => URL.revokeObjectURL(url), { once: true });
    // The preview takes the room that the original will take.
    if (photo.width > 0 && className === 'preview') [picture.width, picture.height] = [photo.width, photo.height];
    return picture;
  }

  /** @param {number} by */
  #step(by) {
    const { photos } = this.gallery;
    const at = photos.findIndex((photo) => photo.id === this.#photoId);
    const next = photos[at + by];
    if (next) this.open(next.id);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'ArrowLeft') this.#step(-1);
    else if (event.key === 'ArrowRight') this.#step(1);
    else if (event.key === 'Delete' && this.#photoId !== null) this.wishes.remove(this.#photoId);
    else return;
    event.preventDefault();
  }

  #followSwipes() {
    let start = { x: 0, y: 0 };
    this.#stage.addEventListener('pointerdown', (event) => {
      start = { x: event.clientX, y: event.clientY };
    });
    // Zoomed in by two fingers, one finger moves the picture about.
    const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.01;
    window.visualViewport?.addEventListener('resize', () => this.#stage.toggleAttribute('data-zoomed', isZoomed()));
    this.#stage.addEventListener('pointerup', (event) => {
      if (isZoomed()) return;
      const [across, down] = [event.clientX - start.x, event.clientY - start.y];
      if (Math.abs(across) < swipePixels || Math.abs(across) < Math.abs(down) * 1.5) return;
      this.#step(across > 0 ? -1 : 1);
    });
  }

  #closed() {
    const id = this.#photoId;
    this.#photoId = null;
    this.#shown = null;
    this.#stage.replaceChildren();
    URL.revokeObjectURL(this.#url);
    if (id !== null) this.wishes.closed(id);
  }
}

/** @param {Photo} photo */
function ownerText(photo) {
  const name = shownText(photo.ownerName);
  return name === '' ? text('photo.from-somebody') : text('photo.from', { name });
}
