// Gives a photo's own bytes to the browser's downloads, under a safe name; one's own photo as the file that was added.

import { make } from './elements.js';
import { safeFileName } from '../photos/names.js';

const lifeMilliseconds = 60_000;

/** @param {import('../model.js').Photo} photo @returns {boolean} false while its original is not here */
export function saveOriginal(photo) {
  const content = photo.source ?? photo.original;
  if (content === null) return false;
  download(content, safeFileName(photo.name, photo.format));
  return true;
}

/** @param {Blob} content @param {string} name safe to save under */
export function download(content, name) {
  const url = URL.createObjectURL(content);
  const link = make('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The download reads the address some time after the click, and nothing tells when.
  setTimeout(() => URL.revokeObjectURL(url), lifeMilliseconds);
}
