// Gives a photo's own bytes to the browser's downloads, under a safe name.

import { make } from './elements.js';
import { safeFileName } from '../photos/names.js';

const lifeMilliseconds = 60_000;

/** @param {import('../model.js').Photo} photo @returns {boolean} false while its original is not here */
export function saveOriginal(photo) {
  if (photo.original === null) return false;
  const url = URL.createObjectURL(photo.original);
  const link = make('a', { href: url, download: safeFileName(photo.name, photo.format) });
  document.body.append(link);
  link.click();
  link.remove();
  // The download reads the address some time after the click, and nothing tells when.
  setTimeout(() => URL.revokeObjectURL(url), lifeMilliseconds);
  return true;
}
