// Photos are judged by what they hold: their kind, their shape, which way is up, when they were taken.

import assert from 'node:assert/strict';
import test from 'node:test';
import { parseExif } from '../gallery/photos/exif.js';
import { detectFormat } from '../gallery/photos/formats.js';
import { inspectPhoto } from '../gallery/photos/inspect.js';
import { transformFor } from '../gallery/photos/thumbnail-drawing.js';
import { bytes, gif, heif, jpeg, png, tiff, webp } from './gallery-pictures.js';

/** @param {Uint8Array<ArrayBuffer>} content @param {string} [name] */
const inspect = (content, name = 'x') => inspectPhoto(new File([content], name));

test('each kind of photo is known by its first bytes', () => {
  assert.equal(detectFormat(jpeg({})), 'jpeg');
  assert.equal(detectFormat(png({})), 'png');
  assert.equal(detectFormat(webp({})), 'webp');
  assert.equal(detectFormat(gif({})), 'gif');
  assert.equal(detectFormat(heif({ brand: 'avif' })), 'avif');
  assert.equal(detectFormat(heif({ brand: 'heic' })), 'heic');
});

test('what is no photo is refused, whatever its name says', async () => {
  for (const text of ['hello', '<!doctype html><script>1</script>', '<svg xmlns="http://www.w3.org/2000/svg"/>', '%PDF-1.7', 'RIFF0000WAVE', 'BM______', '\0\0\0\u0018ftypabcd']) {
    const { refusal } = await inspect(bytes(text), 'holiday.jpg');
    assert.equal(refusal?.code, 'not-a-picture', text);
  }
});

test('a film is refused as that, also the moving part of a Live Photo', async () => {
  for (const text of ['\0\0\0\u0018ftypmp42', '\0\0\0\u0014ftypqt  ', '\0\0\0\u0008wide\0\0\0\u0008mdat', '\u001a\u0045\u00df\u00a3webm', 'RIFF0000AVI LIST']) {
    const { refusal } = await inspect(bytes(text), 'IMG_1.MOV');
    assert.equal(refusal?.code, 'video', text);
  }
});

test('a JPEG that is called .heic is a JPEG', async () => {
  const { facts } = await inspect(jpeg({ width: 640, height: 480 }), 'IMG_1.heic');
  assert.deepEqual([facts?.format, facts?.type, facts?.width, facts?.height], ['jpeg', 'image/jpeg', 640, 480]);
});

test('nothing is refused as nothing, and too much with limit and size', async () => {
  assert.deepEqual(await inspectPhoto(new File([], 'a.jpg')), { refusal: { code: 'empty' } });
  const large = new File([jpeg({}), new Uint8Array(101_000_000)], 'b.jpg');
  assert.deepEqual(await inspectPhoto(large), { refusal: { code: 'too-large', limit: 100_000_000, value: large.size } });
});

test('a photo of exactly the limit is taken', async () => {
  const head = jpeg({});
  const { facts } = await inspectPhoto(new File([head, new Uint8Array(100_000_000 - head.length)], 'c.jpg'));
  assert.equal(facts?.format, 'jpeg');
});

test('a photo cut off anywhere in its headers is damaged, never a fault of the page', async () => {
  for (const whole of [jpeg({ exif: tiff({ orientation: 6 }) }), heif({}), gif({}), webp({ exif: tiff({}) }), png({})]) {
    for (let length = 1; length < whole.length; length += 1) {
      const { facts, refusal } = await inspect(whole.slice(0, length));
      assert.ok(facts || refusal?.code === 'damaged' || refusal?.code === 'not-a-picture', `${length}: ${refusal?.code}`);
    }
  }
});

test('a file that cannot be read is refused as that', async () => {
  const folder = new File([jpeg({})], 'folder');
  folder.slice = () => Object.assign(new Blob([]), { arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) });
  assert.deepEqual(await inspectPhoto(folder), { refusal: { code: 'unreadable' } });
});

test('orientation and date are read from JPEG, PNG and WebP, in either byte order', async () => {
  for (const make of [jpeg, png, webp]) {
    for (const little of [true, false]) {
      const exif = tiff({ orientation: 6, takenAt: '2026:07:11 18:05:09', zone: '+02:00', little });
      const { facts } = await inspect(make({ width: 400, height: 300, exif }));
      assert.deepEqual([facts?.width, facts?.height, facts?.orientation, facts?.takenAt], [300, 400, 6, '2026-07-11T18:05:09+02:00'], make.name);
    }
  }
});

test('width and height are swapped for the four orientations that lie on their side', async () => {
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const { facts } = await inspect(jpeg({ exif: tiff({ orientation }) }));
    assert.deepEqual([facts?.width, facts?.height], orientation >= 5 ? [300, 400] : [400, 300], String(orientation));
  }
});

test('HEIC and AVIF have the size of the whole picture, turned by their own rotation', async () => {
  for (const brand of ['heic', 'avif']) {
    const { facts: upright } = await inspect(heif({ brand }));
    const { facts: turned } = await inspect(heif({ brand, quarterTurns: 3 }));
    assert.deepEqual([upright?.width, upright?.height, turned?.width, turned?.height], [400, 300, 300, 400]);
  }
});

test('a picture of 50,000 by 50,000 pixels is known for what it is without being decoded', async () => {
  const { facts } = await inspect(png({ width: 50_000, height: 50_000 }));
  assert.equal(facts?.isTooLargeToDecode, true);
  assert.equal((await inspect(png({ width: 8_300, height: 3_500 }))).facts?.isTooLargeToDecode, false);
});

test('pictures that move are marked', async () => {
  assert.equal((await inspect(gif({ frameCount: 2 }))).facts?.isAnimated, true);
  assert.equal((await inspect(gif({ frameCount: 1 }))).facts?.isAnimated, false);
  assert.equal((await inspect(png({ isAnimated: true }))).facts?.isAnimated, true);
  assert.equal((await inspect(webp({ isAnimated: true }))).facts?.isAnimated, true);
});

test('EXIF with a wild orientation, a date of zeros or offsets into nowhere says nothing', () => {
  assert.equal(parseExif(tiff({ orientation: 77 })).orientation, 1);
  assert.equal(parseExif(tiff({ takenAt: '0000:00:00 00:00:00' })).takenAt, null);
  assert.equal(parseExif(tiff({ takenAt: '2026:02:31 10:00:00' })).takenAt, null);
  const exif = tiff({ orientation: 3, takenAt: '2026:07:11 18:05:09' });
  for (let at = 0; at < exif.length; at += 1) {
    for (const value of [0, 0x7f, 0xff]) {
      const broken = exif.slice();
      broken[at] = value;
      assert.doesNotThrow(() => parseExif(broken), `byte ${at}`);
    }
  }
});

test('each orientation brings the corner that EXIF calls the first to the upper left', () => {
  // Where the stored picture's upper left corner is to be seen, by EXIF's own table.
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [1, 1], [0, 1]];
  for (const [index, [right, down]] of corners.entries()) {
    const [, , , , x, y] = transformFor(index + 1, 40, 30);
    const [width, height] = index >= 4 ? [30, 40] : [40, 30];
    assert.deepEqual([x, y], [(right ?? 0) * width, (down ?? 0) * height], `orientation ${index + 1}`);
  }
});
