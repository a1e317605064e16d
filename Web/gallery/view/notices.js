// Tells people what happened, wherever they are in the page: faults stay until they are closed, comings and goings are said and pass.

import { find, icon, make } from './elements.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';
import { noticeText } from '../texts.js';

/** @typedef {import('../model.js').Notice} Notice */
/** @typedef {{ label: import('../language.js').TextKey, act: (notice: Notice) => void, dismissed: (notice: Notice) => void, dismissLabel?: import('../language.js').TextKey, read?: (isRead: boolean) => void }} NoticeOffer `dismissLabel`: to let it be is an answer too, with words of its own. `read`: somebody's pointer or focus rests on it, or has gone */

const passing = new Set(['came', 'went', 'copied', 'added', 'removed', 'saved-all']);
/** Said without interrupting, though they stay. */
const calm = new Set([...passing, 'removing', 'not-added-twice', 'thinned', 'knocking']);
const passingMilliseconds = 4_000;
const shownLimit = 100;

export class Notices {
  #list = find('notices', HTMLOListElement);
  #announcements = find('announcements', HTMLParagraphElement);
  #section = find('messages', HTMLElement);
  #home = /** @type {HTMLElement} */ (this.#section.parentElement);
  /** In the order in which they were opened. @type {Set<HTMLDialogElement>} */
  #dialogs = new Set();
  /** @type {Map<number, { item: HTMLElement, words: HTMLElement, action: HTMLButtonElement, notice: Notice, timer: ReturnType<typeof setTimeout> | undefined }>} */
  #lines = new Map();

  /** @param {import('../model.js').Gallery} gallery @param {Readonly<Record<string, NoticeOffer>>} offers by kind of notice: what one can do about it */
  constructor(gallery, offers) {
    this.gallery = gallery;
    this.offers = offers;
    new MutationObserver(() => this.#follow()).observe(document.body, { subtree: true, attributeFilter: ['open'] });
  }

  /** What is outside of an open dialog is neither heard nor can it be pressed: the messages are in it for as long as it is open. */
  #follow() {
    const open = new Set(/** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll('dialog[open]')));
    for (const dialog of this.#dialogs) if (!open.has(dialog)) this.#dialogs.delete(dialog);
    for (const dialog of open) this.#dialogs.add(dialog);
    const place = [...this.#dialogs].at(-1) ?? this.#home;
    if (this.#section.parentElement === place) return;
    place.append(this.#section);
    this.#rise();
  }

  draw() {
    const { notices } = this.gallery;
    const ids = new Set(notices.map((notice) => notice.id));
    for (const [id, { item, timer }] of this.#lines) {
      if (ids.has(id)) continue;
      clearTimeout(timer);
      item.remove();
      this.#lines.delete(id);
    }
    const fresh = notices.filter((notice) => this.#lines.get(notice.id)?.notice !== notice);
    for (const notice of fresh) this.#show(notice);
    // What happens at once is said at once: each for itself, the first would be cut off by the second.
    const said = fresh.filter((notice) => calm.has(notice.kind)).map(wordsOf);
    if (said.length > 0) this.#announcements.textContent = said.join(' ');
    for (const notice of notices.slice(0, -shownLimit)) this.gallery.dismiss(notice.id);
    this.#rise();
  }

  /** In the language that the page has now. */
  redraw() {
    for (const { item, words, action, notice } of this.#lines.values()) {
      item.querySelector('.icon')?.setAttribute('aria-label', text('button.close-message'));
      const dismissLabel = this.offers[notice.kind]?.dismissLabel;
      const dismissal = item.querySelector('.notice-dismiss');
      if (dismissal && dismissLabel) dismissal.textContent = text(dismissLabel);
      words.textContent = wordsOf(notice);
      action.textContent = this.#labelOf(notice);
    }
  }

  /** @param {Notice} notice */
  #show(notice) {
    const words = wordsOf(notice);
    const line = this.#lines.get(notice.id) ?? this.#make(notice);
    line.notice = notice;
    line.words.textContent = words;
    if (!passing.has(notice.kind)) return;
    clearTimeout(line.timer);
    line.timer = setTimeout(() => this.gallery.dismiss(notice.id), passingMilliseconds);
  }

  /** @param {Notice} notice */
  #make(notice) {
    const offer = this.offers[notice.kind];
    const close = offer?.dismissLabel
      ? make('button', { className: 'notice-action notice-dismiss', type: 'button', textContent: text(offer.dismissLabel) })
      : make('button', { className: 'button icon', type: 'button', ariaLabel: text('button.close-message') }, icon('close'));
    const finish = (/** @type {((notice: Notice) => void) | undefined} */ then) => {
      this.gallery.dismiss(notice.id);
      then?.(notice);
    };
    close.addEventListener('click', () => finish(offer?.dismissed));
    const words = make('p', { id: `notice-${notice.id}` });
    const action = make('button', { className: 'notice-action', type: 'button', hidden: !offer, textContent: this.#labelOf(notice) });
    action.addEventListener('click', () => finish(offer?.act));
    const item = make('li', { data: { notice: String(notice.id), kind: notice.kind, code: notice.code ?? '' } }, words, action, close);
    for (const [name, isRead] of /** @type {const} */ ([['pointerenter', true], ['pointerleave', false], ['focusin', true], ['focusout', false]])) {
      item.addEventListener(name, () => offer?.read?.(isRead));
    }
    if (!calm.has(notice.kind)) words.setAttribute('role', 'alert');
    // Of several “Let in” each says whom.
    for (const answer of [action, close]) answer.setAttribute('aria-describedby', words.id);
    this.#list.append(item);
    const line = { item, words, action, notice, timer: /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined) };
    this.#lines.set(notice.id, line);
    return line;
  }

  /** @param {Notice} notice */
  #labelOf(notice) {
    const offer = this.offers[notice.kind];
    return offer ? text(offer.label) : '';
  }

  /** Above everything; a popover that was moved is hidden. */
  #rise() {
    if (typeof this.#list.showPopover !== 'function') return;
    const isOpen = this.#list.matches(':popover-open');
    if (isOpen && this.#lines.size === 0) this.#list.hidePopover();
    if (!isOpen && this.#lines.size > 0) this.#list.showPopover();
  }
}

/** @param {Notice} notice */
function wordsOf(notice) {
  return noticeText(notice, shownText(notice.name, text(notice.kind === 'refused' ? 'photo.unnamed-file' : 'people.somebody')));
}
