// Names that strangers chose, as they go into an archive.

import assert from 'node:assert/strict';
import test from 'node:test';

import { EntryNames } from '../gallery/archive/entry-names.js';

/** @param {...string} names */
const take = (...names) => {
  const entries = new EntryNames();
  return names.map((name) => entries.take(name));
};

test('a good name stays as it is, in any script', () => {
  for (const name of ['IMG_0001.JPG', 'Straße am Fluß.png', '写真.heic', 'صورة.webp', 'फ़ोटो.jpg', '👩‍👩‍👧.png', 'a.tar.gz', 'no extension', 'Mr. Smith goes home']) {
    assert.deepEqual(take(name), [name.normalize('NFC')]);
  }
});

test('no name leads out of the folder', () => {
  for (const name of ['../../etc/passwd', '..\\..\\x.jpg', '/etc/passwd', 'C:\\x.jpg', '..', '.', './..', 'a/../../b', '~/.ssh/config', '.htaccess', '\0/x', 'x:stream']) {
    const [safe] = take(name);
    assert.doesNotMatch(safe, /[/\\:\0]/, name);
    assert.doesNotMatch(safe, /^\./, name);
    assert.notEqual(safe, '', name);
  }
});

test('names that Windows reserves or cannot hold are changed', () => {
  for (const name of ['CON', 'con.jpg', 'Nul.png', 'COM1.jpg', 'com\u00b9.jpg', 'LPT9', 'aux .jpg', 'CONIN$']) assert.equal(take(name)[0], `_${name}`);
  assert.deepEqual(take('console.jpg', 'com10.jpg', 'a?.jpg', 'what*<>|".jpg'), ['console.jpg', 'com10.jpg', 'a_.jpg', 'what_____.jpg']);
  assert.deepEqual(take('ends with dots...', 'ends with spaces   '), ['ends with dots', 'ends with spaces']);
});

test('control characters, marks that turn the direction and halves of characters do not come through', () => {
  for (const name of ['a\u0000b', 'a\nb', 'a\u001b[2Jb', 'a\u007fb', 'a\u0085b', 'photo\u202egpj.exe', 'a\u200bb', 'a\ufeffb', 'a\ud800b', 'a\udc00b', 'a\u2066b']) {
    const [safe] = take(name);
    assert.match(safe, /^[\w.[]+$/, JSON.stringify(name));
  }
});

test('nothing at all is called a photo', () => {
  assert.deepEqual(take('', ' ', '...', '\t'), ['photo', 'photo (2)', 'photo (3)', '_']);
});

test('the same name twice gets a number before its extension', () => {
  assert.deepEqual(take('a.jpg', 'a.jpg', 'a.jpg', 'a.png', 'a (2).jpg', 'a (4).jpg', 'a.jpg'), ['a.jpg', 'a (2).jpg', 'a (3).jpg', 'a.png', 'a (2) (2).jpg', 'a (4).jpg', 'a (5).jpg']);
});

test('names that a file system takes for the same one are the same one', () => {
  assert.deepEqual(take('A.jpg', 'a.JPG'), ['A.jpg', 'a (2).JPG']);
  assert.deepEqual(take('\u00e9.jpg', 'e\u0301.jpg'), ['\u00e9.jpg', '\u00e9 (2).jpg']);
  assert.deepEqual(take('\u00c9.jpg', 'e\u0301.jpg'), ['\u00c9.jpg', '\u00e9 (2).jpg']);
  assert.deepEqual(take('Stra\u00dfe', 'STRASSE'), ['Stra\u00dfe', 'STRASSE (2)']);
});

test('a name of any length is cut to 200 bytes between characters, with its extension and its number', () => {
  const long = '🏔'.repeat(300);
  const names = take(`${long}.jpg`, `${long}.jpg`, `${'x'.repeat(300)}`, 'y'.repeat(1_000_000));
  for (const name of names) {
    assert.ok(new TextEncoder().encode(name).length <= 200, name);
    assert.equal(name.isWellFormed?.() ?? true, true);
  }
  assert.match(names[0], /🏔\.jpg$/u);
  assert.match(names[1], /🏔 \(2\)\.jpg$/u);
});
