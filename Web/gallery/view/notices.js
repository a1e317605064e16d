// Tells people what happened: faults stay until they are closed, comings and goings are said and pass.

import { find, icon, make } from './elements.js';
import { shownText } from '../photos/names.js';
import { noticeText } from '../texts.js';

/** @typedef {import('../model.js').Notice} Notice */

const faults = new Set(['refused', 'not-shared', 'not-removed', 'error', 'interrupted-before', 'not-copied']);
const passing = new Set(['came', 'went', 'copied', 'added', 'removed']);
const counted = new Set(['added', 'removed']);
const passingMilliseconds = 4_000;
const shownLimit = 100;

export class Notices {
  #list = find('notices', HTMLOListElement);
  #announcements = find('announcements', HTMLParagraphElement);
  #lastId = 0;

  /** @param {import('../model.js').Gallery} gallery */
  constructor(gallery) {
    this.gallery = gallery;
  }

  draw() {
    const { notices } = this.gallery;
    const ids = new Set(notices.map((notice) => String(notice.id)));
    for (const item of [...this.#list.children]) {
      if (item instanceof HTMLElement && !ids.has(item.dataset.notice ?? '')) item.remove();
    }
    const fresh = notices.filter((notice) => notice.id > this.#lastId);
    this.#lastId = notices.at(-1)?.id ?? this.#lastId;
    for (const notice of joined(fresh)) this.#show(notice);
    // What was joined into another line has no line of its own.
    for (const notice of fresh) if (!this.#has(notice.id)) this.gallery.dismiss(notice.id);
  }

  /** @param {number} id */
  #has(id) {
    return this.#list.querySelector(`[data-notice="${id}"]`) !== null;
  }

  /** @param {Notice} notice */
  #show(notice) {
    const text = noticeText(notice, shownText(notice.name, notice.kind === 'refused' ? 'A file without a name' : 'Somebody'));
    if (text === '') return;
    const dismiss = () => this.gallery.dismiss(notice.id);
    const close = make('button', { className: 'button icon', type: 'button' }, icon('close'));
    close.setAttribute('aria-label', 'Close message');
    close.addEventListener('click', dismiss);
    const item = make('li', { data: { notice: String(notice.id), kind: notice.kind, code: notice.code ?? '' } }, make('p', { textContent: text }), close);
    if (faults.has(notice.kind)) item.setAttribute('role', 'alert');
    else this.#announcements.textContent = text;
    // A modal dialog makes the rest of the page inert and lies above it: the line goes where it can be seen and closed.
    this.#list.append(item);
    while (this.#list.childElementCount > shownLimit) this.#list.firstElementChild?.remove();
    if (passing.has(notice.kind)) setTimeout(dismiss, passingMilliseconds);
  }
}

/** @param {Notice[]} notices @returns {Notice[]} thirty photos of one person are told in one line */
function joined(notices) {
  /** @type {Map<string, Notice>} */
  const lines = new Map();
  for (const notice of notices) {
    const key = counted.has(notice.kind) ? `${notice.kind} ${notice.kind === 'added' ? notice.name : ''}` : String(notice.id);
    const before = lines.get(key);
    lines.set(key, before ? { ...before, count: (before.count ?? 1) + 1 } : notice);
  }
  return [...lines.values()];
}
