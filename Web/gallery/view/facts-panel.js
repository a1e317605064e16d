// What is known of a photo, line by line, for whoever asks.

import { language, text } from '../language.js';
import { formats } from '../photos/formats.js';
import { shownText } from '../photos/names.js';
import { sizeText, takenAtText } from '../texts.js';
import { find, make } from './elements.js';

/** @param {import('../model.js').Photo} photo */
export function drawFacts(photo) {
  const { name, ownerName, isMine, takenAt, addedAtMilliseconds, sizeBytes, width, height, format } = photo;
  /** @type {[string, string][]} */
  const facts = [
    [text('info.name'), shownText(name, text('photo.unnamed'))],
    [text('info.owner'), isMine ? text('info.you') : shownText(ownerName, text('people.somebody'))],
    [text('info.taken'), takenAtText(takenAt)],
    [text('info.added'), new Date(addedAtMilliseconds).toLocaleString(language.code === 'en' ? 'en-GB' : language.locale, { dateStyle: 'long', timeStyle: 'short' })],
    [text('info.dimensions'), width > 0 ? text('info.pixels', { width, height }) : ''],
    [text('info.size'), sizeText(sizeBytes)],
    [text('info.format'), format === null ? '' : formats[format].title],
  ];
  const lines = facts.filter(([, value]) => value !== '').flatMap(([term, value]) => [make('dt', { textContent: term }), make('dd', {}, make('bdi', { textContent: value }))]);
  find('viewer-info', HTMLElement).replaceChildren(...lines);
}
