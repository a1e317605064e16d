// Puts the page's fixed words into its language, and lets people choose another one than their browser asks for.

import { keepLanguage, keptLanguage } from '../address.js';
import { bestLanguage, hasText, language, languages } from '../language.js';
import { find, make } from './elements.js';

/** `data-text` names an element's words, `data-label` what a screen reader calls it. */
function translatePage() {
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.direction;
  for (const element of document.querySelectorAll('[data-text], [data-label]')) {
    const key = element.getAttribute('data-text') ?? '';
    const label = element.getAttribute('data-label') ?? '';
    if (hasText(key)) element.textContent = language.text(key);
    if (hasText(label)) element.setAttribute('aria-label', language.text(label));
  }
}

/** Call it before anything is drawn. Each language stands in the list under its own name, for whoever cannot read the page. */
export function followLanguage() {
  const choice = find('language', HTMLSelectElement);
  for (const [code, { texts }] of Object.entries(languages)) choice.append(make('option', { value: code, textContent: String(texts['language.name']), lang: code }));
  language.addEventListener('change', translatePage);
  language.choose(bestLanguage([keptLanguage(), ...navigator.languages]));
  choice.value = language.code;
  choice.addEventListener('change', () => {
    keepLanguage(choice.value);
    language.choose(choice.value);
  });
}

/**
 * For an element whose words change: the next translation finds the right ones by itself.
 * @param {string} id
 * @param {import('../language.js').TextKey} key
 */
export function setWords(id, key) {
  const element = find(id, HTMLElement);
  if (element.dataset.text === key) return;
  element.dataset.text = key;
  element.textContent = language.text(key);
}
