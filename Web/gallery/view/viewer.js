// Shows one photo for oneself alone: the preview at once, the original as soon as it is here.

import { button, find, make, makeClosable } from './elements.js';
import { drawFacts } from './facts-panel.js';
import { Zooming } from './zooming.js';
import { orientationToApply } from '../photos/orientation.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';
import { embeddedPreviews } from '../photos/previews.js';
import { stateOf } from '../states.js';
import { noPictureText, photoStateText, sizeText, takenAtText } from '../texts.js';

/** @typedef {import('../model.js').Photo} Photo */
/** @typedef {{ want: (id: string) => void, save: (id: string) => void, remove: (id: string) => void, closed: (id: string) => void, photos: () => readonly Photo[], remarks: import('./remark-panel.js').RemarkPanel, rights: (photo: Photo) => { canWrite: boolean, canReact: boolean } }} ViewerWishes `photos`: those that are shown, in their order */

export class Viewer {
  #dialog = find('viewer', HTMLDialogElement);
  #stage = find('viewer-stage', HTMLDivElement);
  #state = find('viewer-state', HTMLParagraphElement);
  /** @type {string | null} */
  #photoId = null;
  /** @type {Photo | null} */
  #shown = null;
  #url = '';
  /** Where it stood among those that are shown: its neighbour comes when it goes. */
  #place = 0;
  #zooming;

  /** @param {import('../model.js').Gallery} gallery @param {ViewerWishes} wishes */
  constructor(gallery, wishes) {
    this.gallery = gallery;
    this.wishes = wishes;
    makeClosable(this.#dialog);
    button('viewer-back').addEventListener('click', () => this.#step(-1));
    button('viewer-forward').addEventListener('click', () => this.#step(1));
    button('viewer-save').addEventListener('click', () => this.#photoId !== null && wishes.save(this.#photoId));
    button('viewer-remove').addEventListener('click', () => this.#photoId !== null && wishes.remove(this.#photoId));
    button('viewer-about').addEventListener('click', () => this.#toggleFacts());
    this.#dialog.addEventListener('keydown', (event) => this.#key(event));
    this.#dialog.addEventListener('close', () => this.#closed());
    this.#zooming = new Zooming(this.#stage, {
      step: (by) => this.#step(by),
      changed: ({ scale }) => {
        this.#stage.dataset.scale = scale.toFixed(2);
        find('viewer-zoom', HTMLElement).textContent = scale > 1 ? text('zoom.level', { percent: Math.round(scale * 100) }) : '';
      },
    });
  }

  /** @param {string} photoId */
  open(photoId) {
    this.#photoId = photoId;
    this.#shown = null;
    this.#zooming.reset();
    if (!this.#dialog.open) {
      this.#dialog.showModal();
      // The photo is meant, and not the first button, which the browser would point at.
      this.#dialog.focus();
    }
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
    if (photo.isLeaving) {
      const photos = this.wishes.photos();
      const neighbour = photos[Math.min(this.#place, photos.length - 1)];
      if (neighbour) this.open(neighbour.id);
      else this.#dialog.close();
      return;
    }
    this.wishes.remarks.draw(photo, this.wishes.rights(photo));
    if (photo === this.#shown) return;
    const before = this.#shown;
    this.#shown = photo;
    this.#drawWords(photo);
    const isSame = before?.id === photo.id && before.original === photo.original && before.thumbnail === photo.thumbnail && before.failure === photo.failure;
    if (!isSame) this.#drawPicture(photo);
  }

  /** In the language that the page has now. */
  redraw() {
    if (!this.#shown) return;
    this.#drawWords(this.#shown);
    this.wishes.remarks.draw(this.#shown, this.wishes.rights(this.#shown));
  }

  /** @param {Photo} photo */
  #drawWords(photo) {
    const photos = this.wishes.photos();
    const at = photos.findIndex(({ id }) => id === photo.id);
    if (at >= 0) this.#place = at;
    drawFacts(photo);
    const name = shownText(photo.name, text('photo.unnamed'));
    const title = find('viewer-name', HTMLHeadingElement);
    // Unchanged words would be read aloud again.
    if (title.textContent !== name) title.textContent = name;
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
    if (preview) this.#put(preview);
    else this.#stage.replaceChildren(make('p', { textContent: original || photo.failure ? noPictureText(photo) : text('photo.on-its-way') }));
    if (original === null || photo.isTooLargeToDecode || photo.format === null) return;
    const isMeant = () => this.#shown?.id === photo.id && this.#shown.original === original;
    const turn = await orientationToApply(photo.format, photo.orientation);
    if (!isMeant() || (await this.#putDecoded(original, photo, turn, isMeant))) return;
    // What a HEIC has inside is no larger than the thumbnail that was made of it.
    for (const inside of photo.format === 'raw' ? await embeddedPreviews(original, photo.format).catch(() => []) : []) {
      if (!isMeant() || (await this.#putDecoded(inside, photo, 1, isMeant))) return;
    }
    if (isMeant() && !thumbnail) this.#stage.replaceChildren(make('p', { textContent: noPictureText(photo) }));
  }

  /** @param {Blob} blob @param {Photo} photo @param {number} turn @param {() => boolean} isMeant still @returns {Promise<boolean>} whether this engine can decode it */
  async #putDecoded(blob, photo, turn, isMeant) {
    URL.revokeObjectURL(this.#url);
    const picture = this.#picture(blob, photo, 'original');
    picture.dataset.turn = String(turn);
    try {
      await picture.decode();
    } catch {
      return false;
    }
    if (isMeant()) this.#put(picture);
    return true;
  }

  /** @param {HTMLImageElement} picture */
  #put(picture) {
    const sheet = make('div', { className: 'sheet-of-picture' }, picture);
    this.#stage.replaceChildren(sheet);
    this.#zooming.show(sheet, picture);
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
    const photos = this.wishes.photos();
    const at = photos.findIndex((photo) => photo.id === this.#photoId);
    const next = photos[at + by];
    if (next) this.open(next.id);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const towardsEnd = getComputedStyle(this.#dialog).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (this.#zooming.key(event.key)) event.stopPropagation();
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') this.#step(event.key === towardsEnd ? 1 : -1);
    else if (event.key === 'i') this.#toggleFacts();
    else if (event.key === 'Delete' && this.#photoId !== null) this.wishes.remove(this.#photoId);
    else return;
    event.preventDefault();
  }

  #toggleFacts() {
    const facts = find('viewer-info', HTMLElement);
    facts.hidden = !facts.hidden;
    button('viewer-about').setAttribute('aria-expanded', String(!facts.hidden));
  }

  #closed() {
    const id = this.#photoId;
    this.#photoId = null;
    this.#shown = null;
    this.wishes.remarks.close();
    this.#zooming.reset();
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
