// Every text there is in every language, and all of a text's gaps are filled.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import test from 'node:test';
import { bestLanguage, hasText, language, languages, text } from '../gallery/language.js';
import { noticeText, sentenceFor, sizeText } from '../gallery/texts.js';

const web = new URL('../', import.meta.url);
const { en: english, ...others } = languages;

/** @param {string | Readonly<Record<string, string>>} value */
const forms = (value) => (typeof value === 'string' ? [value] : Object.values(value));
/** @param {string | Readonly<Record<string, string>>} value */
const gaps = (value) => [...new Set(forms(value).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort();

for (const [code, { texts }] of Object.entries(others)) {
  test(`no text is missing in ${code}, and none is left over`, () => {
    assert.deepEqual(Object.keys(texts).sort(), Object.keys(english?.texts ?? {}).sort());
  });

  test(`the texts in ${code} have the gaps that the English ones have`, () => {
    for (const [key, value] of Object.entries(english?.texts ?? {})) assert.deepEqual(gaps(texts[/** @type {import('../gallery/language.js').TextKey} */ (key)]), gaps(value), key);
  });

  test(`the texts in ${code} are translated`, () => {
    const same = Object.entries(english?.texts ?? {}).filter(([key, value]) => forms(value).some((form) => /[a-z]{3} [a-z]{3}/i.test(form)) && JSON.stringify(texts[/** @type {import('../gallery/language.js').TextKey} */ (key)]) === JSON.stringify(value));
    assert.deepEqual(same, []);
  });
}

for (const [code, { texts, locale }] of Object.entries(languages)) {
  test(`what counts in ${code} has a form for each number, and no form is empty`, () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.sort();
    for (const [key, value] of Object.entries(texts)) {
      if (typeof value !== 'string') assert.deepEqual(Object.keys(value).sort(), categories, key);
      for (const form of forms(value)) assert.ok(form.trim().length > 0, key);
    }
  });
}

test('the page and the scripts ask for texts that exist', async () => {
  const files = (await readdir(new URL('gallery/', web), { recursive: true })).filter((name) => name.endsWith('.js') && !name.startsWith('texts/'));
  const sources = await Promise.all(files.map((name) => readFile(new URL(`gallery/${name}`, web), 'utf8')));
  const page = await readFile(new URL('index.html', web), 'utf8');
  const asked = [...page.matchAll(/data-(?:text|label)="([^"]+)"/g), ...sources.join('\n').matchAll(/\b(?:text\(|setWords\('[\w-]+', )'([\w.-]+)'/g)].map(([, key]) => key ?? '');
  assert.ok(asked.length > 80);
  assert.deepEqual(asked.filter((key) => !hasText(key)), []);
});

test('the page of a browser without scripts has the English words', async () => {
  const page = await readFile(new URL('index.html', web), 'utf8');
  const differing = [...page.matchAll(/data-text="([^"]+)"[^>]*>([^<]*)</g)].filter(([, key = '', words = '']) => words !== english?.texts[/** @type {import('../gallery/language.js').TextKey} */ (key)]);
  assert.deepEqual(differing.map(([, key, words]) => [key, words]), []);
});

test('the first language that a browser asks for and that is there is taken', () => {
  assert.equal(bestLanguage(['fr-FR', 'de-AT', 'en']), 'de');
  assert.equal(bestLanguage(['ar-EG']), 'ar');
  assert.equal(bestLanguage(['', 'ja']), 'ja');
  assert.equal(bestLanguage(['fr', 'constructor']), 'en');
  assert.equal(bestLanguage([]), 'en');
});

test('numbers, plurals and sizes are written as the language writes them', () => {
  try {
    language.choose('de');
    assert.equal(sizeText(3_400_000), '3,4 MB');
    assert.equal(noticeText({ id: 1, kind: 'added', count: 3 }, 'Ana'), 'Ana hat 3 Fotos hinzugefügt.');
    assert.match(sentenceFor({ code: 'too-large', limit: 100_000_000, value: 100_000_001 }), /101 MB|100\.000\.001 Byte/);
    language.choose('ar');
    assert.equal(language.direction, 'rtl');
    assert.match(text('banner.private', { count: 2 }), /صورتان/);
    assert.match(text('banner.private', { count: 11 }), /^11 صورة/);
  } finally {
    language.choose('en');
  }
});

test('a name of the other direction keeps to itself', () => {
  assert.equal(text('notice.came', { name: 'ليلى' }), '\u2068ليلى\u2069 has joined.');
  assert.equal(text('notice.came', { name: 'Ben' }), 'Ben has joined.');
});
