// Names come from strangers: they are shown as one honest line and saved where they can do no harm.

import assert from 'node:assert/strict';
import test from 'node:test';
import { safeFileName, shownText } from '../gallery/photos/names.js';

test('control characters are shown as signs', () => {
  assert.equal(shownText('a\r\u001b[2J\u0007.jpg'), 'a␍␛[2J␇.jpg');
  assert.equal(shownText('two\nlines'), 'two␊lines');
});

test('marks that turn the direction of writing cannot disguise a name', () => {
  assert.equal(shownText('photo\u202egpj.exe'), 'photo\ufffdgpj.exe');
  assert.equal(shownText('\u2066x\u200f'), '\ufffdx\ufffd');
});

test('emoji, accents and joined emoji stay as they are', () => {
  for (const name of ['Zoë', '👩‍👩‍👧 picnic 🏖.jpg', '夏休み', 'שלום']) assert.equal(shownText(name), name);
});

test('what is no text, or nothing but blanks, gives way to the fallback', () => {
  for (const value of [undefined, null, 7, {}, '', '   ']) assert.equal(shownText(value, 'Somebody'), 'Somebody');
});

test('a very long name is cut', () => {
  assert.ok(shownText('x'.repeat(100_000)).length <= 255);
});

test('names that systems forbid are saved under safe ones', () => {
  assert.equal(safeFileName('a|b:c?.jpg', 'jpeg'), 'a_b_c_.jpg');
  assert.equal(safeFileName('CON.jpg', 'jpeg'), '_CON.jpg');
  assert.equal(safeFileName('.hidden', 'jpeg'), 'hidden.jpg');
  assert.equal(safeFileName('../../etc/passwd', 'png'), '_.._etc_passwd.png');
  assert.equal(safeFileName('..', 'png'), 'photo.png');
  assert.equal(safeFileName('', 'webp'), 'photo.webp');
  assert.equal(safeFileName('a\u001b[2J\r.jpg', 'jpeg'), 'a_[2J_.jpg');
});

test('a good name is kept as it is', () => {
  for (const name of ['IMG_4200.JPG', 'Día 1.jpeg', '🏖.jpg']) assert.equal(safeFileName(name, 'jpeg'), name);
});

test('the ending tells the truth about the content', () => {
  assert.equal(safeFileName('IMG_1.heic', 'jpeg'), 'IMG_1.heic.jpg');
  assert.equal(safeFileName('page.html', 'png'), 'page.html.png');
  assert.equal(safeFileName('run.exe', null), 'run.exe.bin');
});

test('a name of 255 bytes keeps its ending and fits everywhere', () => {
  for (const name of [`${'x'.repeat(251)}.jpg`, `${'🏖'.repeat(63)}.jpg`]) {
    const safe = safeFileName(name, 'jpeg');
    assert.ok(new TextEncoder().encode(safe).length <= 200);
    assert.ok(safe.endsWith('.jpg'));
    assert.ok(safe.isWellFormed?.() ?? true);
  }
});
