// The language of the page: which one it is, and how its texts are filled in.

import arabic from './texts/ar.js';
import english from './texts/en.js';
import german from './texts/de.js';
import japanese from './texts/ja.js';

/** @typedef {import('./texts/en.js').TextKey} TextKey */
/** @typedef {Record<string, string | number | undefined>} Values a number under `count` chooses the plural form; numbers are written as the language writes them */
/** @typedef {{ texts: Readonly<Record<TextKey, import('./texts/en.js').Text>>, direction: 'ltr' | 'rtl', locale: string }} Language */

/**
 * The session code, names of files and addresses come in European digits; in Arabic the page's own numbers are written alike.
 * @type {Readonly<Record<string, Language>>}
 */
export const languages = Object.freeze({
  en: { texts: english, direction: 'ltr', locale: 'en' },
  de: { texts: german, direction: 'ltr', locale: 'de' },
  ja: { texts: japanese, direction: 'ltr', locale: 'ja' },
  ar: { texts: arabic, direction: 'rtl', locale: 'ar-u-nu-latn' },
});

/**
 * @param {readonly string[]} wishes language tags, most wanted first
 * @returns {string} a key of `languages`
 */
export function bestLanguage(wishes) {
  const known = wishes.map((wish) => wish.toLowerCase().split('-')[0] ?? '').find((code) => Object.hasOwn(languages, code));
  return known ?? 'en';
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Event `change`: everything that is drawn has to be drawn anew. */
class CurrentLanguage extends EventTarget {
  #code = 'en';
  #plurals = new Intl.PluralRules('en');
  #numbers = new Intl.NumberFormat('en');

  get code() {
    return this.#code;
  }

  get direction() {
    return this.#language.direction;
  }

  get locale() {
    return this.#language.locale;
  }

  get #language() {
    return /** @type {Language} */ (languages[this.#code]);
  }

  /** @param {string} code a key of `languages`; anything else is English */
  choose(code) {
    this.#code = Object.hasOwn(languages, code) ? code : 'en';
    this.#plurals = new Intl.PluralRules(this.locale);
    this.#numbers = new Intl.NumberFormat(this.locale);
    this.dispatchEvent(new Event('change'));
  }

  /** @param {number} value @returns {string} */
  number(value) {
    return this.#numbers.format(value);
  }

  /** @param {TextKey} key @param {Values} [values] @returns {string} */
  text(key, values = {}) {
    const found = this.#language.texts[key];
    const form = typeof found === 'string' ? found : (found[this.#plurals.select(Number(values.count ?? 0))] ?? found.other ?? '');
    return form.replace(/\{(\w+)\}/g, (_, /** @type {string} */ name) => this.#filled(values[name]));
  }

  /** A name of the other direction would else pull what stands beside it to its side. @param {string | number | undefined} value */
  #filled(value) {
    if (value === undefined) return '';
    if (typeof value === 'number') return this.number(value);
    return this.direction === 'rtl' || rightToLeft.test(value) ? `\u2068${value}\u2069` : value;
  }
}

export const language = new CurrentLanguage();

/** @param {TextKey} key @param {Values} [values] @returns {string} in the language of the page */
export const text = (key, values) => language.text(key, values);

/** @param {string} key @returns {key is TextKey} */
export const hasText = (key) => Object.hasOwn(english, key);
