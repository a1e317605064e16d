// Shows who leads, and lets one lead, follow and stop: in the viewer, and beside the photos while nobody views one.

import { button, find } from './elements.js';
import { text } from '../language.js';
import { shownText } from '../photos/names.js';

export class FollowingView {
  #viewer = find('viewer', HTMLDialogElement);
  #bar = find('showing', HTMLElement);
  /** What the viewer was last opened at for the leader's sake. @type {string | null} */
  #opened = null;

  /**
   * @param {import('../model.js').Gallery} gallery
   * @param {import('../following.js').Following} following
   * @param {(photoId: string) => void} open in the viewer
   */
  constructor(gallery, following, open) {
    this.gallery = gallery;
    this.following = following;
    this.open = open;
    following.addEventListener('change', () => this.draw());
    button('showing-action').addEventListener('click', () => this.following.follow());
    button('viewer-show').addEventListener('click', () => this.#toggleLeading());
    button('viewer-unfollow').addEventListener('click', () => this.following.unfollow());
    // The viewer goes from photo to photo in many ways; where it is stands in one place.
    new MutationObserver(() => this.#viewed()).observe(this.#viewer, { attributeFilter: ['data-viewed', 'open'] });
  }

  draw() {
    const { following } = this;
    const { leader } = following;
    const name = leader === null ? '' : shownText(leader.name, text('people.somebody'));
    this.#bar.hidden = leader === null || following.isFollowing;
    find('showing-text', HTMLParagraphElement).textContent = leader === null ? '' : text('follow.leader', { name });
    const isShared = this.#attachmentInViewer() !== null;
    const show = button('viewer-show');
    show.hidden = !isShared || this.gallery.sharing.session !== 'joined';
    show.setAttribute('aria-pressed', String(following.isLeading));
    show.setAttribute('aria-label', text(following.isLeading ? 'follow.stop-leading' : 'follow.lead'));
    const words = find('viewer-lead', HTMLElement);
    words.hidden = !following.isLeading && !following.isFollowing;
    words.dataset.role = following.isLeading ? 'leader' : 'follower';
    find('viewer-lead-text', HTMLSpanElement).textContent = following.isLeading
      ? text('follow.leading', { count: following.followerCount })
      : following.isFollowing ? text('follow.following', { name }) : '';
    button('viewer-unfollow').hidden = !following.isFollowing;
    this.#goAlong();
  }

  /** The leader's photo may come later than the word of it. */
  #goAlong() {
    const { leader, isFollowing } = this.following;
    if (!isFollowing || leader === null) {
      this.#opened = null;
      return;
    }
    const photo = this.gallery.photos.find(({ attachmentId }) => attachmentId === leader.attachmentId);
    if (!photo || this.#opened === photo.id) return;
    this.#opened = photo.id;
    this.open(photo.id);
  }

  /** The photos have changed. */
  photosChanged() {
    this.#goAlong();
  }

  #toggleLeading() {
    const attachmentId = this.#attachmentInViewer();
    if (this.following.isLeading) this.following.stopLeading();
    else if (attachmentId !== null) this.following.lead(attachmentId);
  }

  #viewed() {
    const { following } = this;
    if (!this.#viewer.open) {
      following.stopLeading();
      following.unfollow();
    } else if (following.isLeading) {
      const attachmentId = this.#attachmentInViewer();
      if (attachmentId !== null) following.show(attachmentId);
    } else if (following.isFollowing && this.#opened !== null && this.#viewer.dataset.viewed !== this.#opened) {
      // Whoever turns the pages does not follow any more.
      following.unfollow();
    }
    this.draw();
  }

  #attachmentInViewer() {
    return this.#viewer.open ? this.gallery.photo(this.#viewer.dataset.viewed ?? null)?.attachmentId ?? null : null;
  }
}
