// RAW and TIFF files are known by their content, say how large and which way up they are, and show what the camera has developed already.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ByteWindow } from '../gallery/photos/byte-window.js';
import { detectFormat } from '../gallery/photos/formats.js';
import { inspectPhoto } from '../gallery/photos/inspect.js';
import { safeFileName } from '../gallery/photos/names.js';
import { embeddedPreviews } from '../gallery/photos/previews.js';
import { readRaw } from '../gallery/photos/raw.js';
import { stripMetadata } from '../gallery/photos/strip/strip-metadata.js';
import { bytes, integer, jpeg, tiff } from './gallery-pictures.js';

/** @typedef {{ tag: number, type: 2 | 3 | 4, values: number[] | string }} Entry */

const lengths = { 2: 1, 3: 2, 4: 4 };

/**
 * A TIFF of directories one behind the other, then what they point at.
 * @param {Entry[][]} tables the first one first; a value of -N stands for the place of table N, `place(N)` for that of attachment N
 * @param {Uint8Array[]} attachments
 * @param {boolean} little
 */
function rawFile(tables, attachments, little = true) {
  const number = (/** @type {number} */ value, /** @type {number} */ length) => integer(value, length, little);
  const places = /** @type {number[]} */ ([]);
  let at = 8;
  for (const table of tables) {
    places.push(at);
    at += 2 + table.length * 12 + 4 + table.reduce((sum, { type, values }) => sum + Math.max(0, lengths[type] * values.length), 0);
  }
  const attached = attachments.map((content) => {
    const place = at;
    at += content.length;
    return place;
  });
  const known = (/** @type {number} */ value) => (value < 0 ? places[-value] : value >= 1_000_000 ? attached[value - 1_000_000] : value);
  const written = tables.map((table, index) => {
    let valuesAt = places[index] + 2 + table.length * 12 + 4;
    const values = /** @type {number[]} */ ([]);
    const entries = table.flatMap(({ tag, type, values: given }) => {
      const content = typeof given === 'string' ? [...given].map((each) => each.charCodeAt(0)) : given.flatMap((value) => number(known(value) ?? 0, lengths[type]));
      const head = [...number(tag, 2), ...number(type, 2), ...number(given.length, 4)];
      if (content.length <= 4) return [...head, ...content, ...Array.from({ length: 4 - content.length }, () => 0)];
      values.push(...content);
      const place = valuesAt;
      valuesAt += content.length;
      return [...head, ...number(place, 4)];
    });
    const room = table.reduce((sum, { type, values: given }) => sum + lengths[type] * given.length, 0);
    return bytes(number(table.length, 2), entries, number(0, 4), values, Array.from({ length: room - values.length }, () => 0));
  });
  return bytes(little ? 'II' : 'MM', number(42, 2), number(8, 4), ...written, ...attachments);
}

const place = (/** @type {number} */ index) => 1_000_000 + index;
const small = jpeg({ width: 160, height: 120 });
const large = bytes(jpeg({ width: 1_600, height: 1_200 }), new Uint8Array(5_000));

/** As a DNG is made: a small picture first, the sensor's values and a large picture in directories below. @param {boolean} [little] */
function dng(little) {
  return rawFile([
    [
      { tag: 0x100, type: 4, values: [160] }, { tag: 0x101, type: 4, values: [120] }, { tag: 0x103, type: 3, values: [7] }, { tag: 0x111, type: 4, values: [place(0)] },
      { tag: 0x112, type: 3, values: [6] }, { tag: 0x117, type: 4, values: [small.length] }, { tag: 0x14a, type: 4, values: [-1, -2] }, { tag: 0x8769, type: 4, values: [-3] },
    ],
    [{ tag: 0x100, type: 4, values: [6_000] }, { tag: 0x101, type: 4, values: [4_000] }, { tag: 0x103, type: 3, values: [1] }, { tag: 0x111, type: 4, values: [place(2)] }, { tag: 0x117, type: 4, values: [400] }],
    [{ tag: 0x201, type: 4, values: [place(1)] }, { tag: 0x202, type: 4, values: [large.length] }],
    [{ tag: 0x9003, type: 2, values: '2025:04:03 12:30:00\0' }, { tag: 0x9011, type: 2, values: '+02:00\0' }],
  ], [small, large, new Uint8Array(400)], little);
}

for (const little of [true, false]) {
  test(`a RAW file of ${little ? 'little' : 'big'} numbers tells its size, its date and which way is up`, async () => {
    const { facts } = await inspectPhoto(new Blob([dng(little)]));
    assert.deepEqual(facts, { format: 'raw', type: 'image/tiff', width: 4_000, height: 6_000, orientation: 6, takenAt: '2025-04-03T12:30:00+02:00', isAnimated: false, isTooLargeToDecode: false });
  });
}

test('what the camera has developed is found, largest first, and turned as the file says', async () => {
  const previews = await embeddedPreviews(new Blob([dng()]), 'raw');
  assert.equal(previews.length, 2);
  const seen = await Promise.all(previews.map(async (preview) => (await inspectPhoto(preview)).facts));
  assert.deepEqual(seen.map((facts) => [facts?.format, facts?.width, facts?.height, facts?.orientation]), [['jpeg', 1_200, 1_600, 6], ['jpeg', 120, 160, 6]]);
});

test('a picture inside that says itself which way is up is left alone', async () => {
  const own = bytes(jpeg({ width: 800, height: 600, exif: tiff({ orientation: 8 }) }), new Uint8Array(9_000));
  const file = rawFile([[{ tag: 0x112, type: 3, values: [6] }, { tag: 0x201, type: 4, values: [place(0)] }, { tag: 0x202, type: 4, values: [own.length] }]], [own]);
  const [preview] = await embeddedPreviews(new Blob([file]), 'raw');
  assert.deepEqual(new Uint8Array(await /** @type {Blob} */ (preview).arrayBuffer()), own);
});

test('Fujifilm, Canon, Panasonic and Olympus are known too', async () => {
  const inside = jpeg({ width: 640, height: 480, exif: tiff({ orientation: 3, takenAt: '2024:01:02 03:04:05' }) });
  const fuji = bytes('FUJIFILMCCD-RAW ', new Uint8Array(68), integer(92, 4), integer(inside.length, 4), inside);
  assert.deepEqual((({ facts }) => [facts?.format, facts?.width, facts?.height, facts?.orientation, facts?.takenAt])(await inspectPhoto(new Blob([fuji]))), ['raw', 640, 480, 3, '2024-01-02T03:04:05']);
  assert.equal((await embeddedPreviews(new Blob([fuji]), 'raw')).length, 1);

  const box = (/** @type {string} */ name, /** @type {Uint8Array[]} */ ...content) => bytes(integer(8 + content.reduce((sum, { length }) => sum + length, 0), 4), name, ...content);
  const main = rawFile([[{ tag: 0x100, type: 4, values: [8_192] }, { tag: 0x101, type: 4, values: [5_464] }, { tag: 0x112, type: 3, values: [8] }]], []);
  const detail = rawFile([[{ tag: 0x9003, type: 2, values: '2023:05:06 07:08:09\0' }]], []);
  const canon = bytes(
    box('ftyp', bytes('crx '), new Uint8Array(4), bytes('crx isom')), box('moov', box('uuid', new Uint8Array(16), box('CMT1', main), box('CMT2', detail))),
    box('uuid', new Uint8Array(24), box('PRVW', new Uint8Array(16), inside)), box('mdat', new Uint8Array(100)),
  );
  assert.deepEqual((({ facts }) => [facts?.format, facts?.width, facts?.height, facts?.takenAt])(await inspectPhoto(new Blob([canon]))), ['raw', 5_464, 8_192, '2023-05-06T07:08:09']);
  const [preview] = await embeddedPreviews(new Blob([canon]), 'raw');
  assert.deepEqual((await inspectPhoto(/** @type {Blob} */ (preview))).facts?.format, 'jpeg');

  for (const beginning of ['IIRO', 'IIRS', 'MMOR', 'IIU\0', 'II*\0', 'MM\0*']) assert.equal(detectFormat(bytes(beginning, new Uint8Array(20))), 'raw', beginning);
});

test('a RAW file is never said to be clean, and keeps its name', async () => {
  const blob = new Blob([dng()]);
  assert.deepEqual(await stripMetadata(blob), { blob, removed: [], kept: ['unsupported'] });
  assert.equal(safeFileName('DSC_1.NEF', 'raw'), 'DSC_1.NEF');
  assert.equal(safeFileName('DSC_1.html', 'raw'), 'DSC_1.html.tif');
});

test('a RAW file that is cut off, circular or lies about its lengths is no trap', async () => {
  const whole = dng();
  for (let length = 4; length < whole.length; length += 7) await inspectPhoto(new Blob([whole.slice(0, length)]));
  const circular = rawFile([[{ tag: 0x14a, type: 4, values: [8, 8, -1] }], [{ tag: 0x14a, type: 4, values: [8] }, { tag: 0x201, type: 4, values: [4_000_000_000] }, { tag: 0x202, type: 4, values: [4_000_000_000] }]], []);
  assert.deepEqual((await readRaw(new ByteWindow(new Blob([circular]))))?.previews, []);
  assert.equal((await inspectPhoto(new Blob([circular]))).refusal?.code, 'damaged');
  for (let at = 0; at < 400; at += 1) {
    const spoiled = whole.slice();
    spoiled[at] ^= 0xff;
    const { facts, refusal } = await inspectPhoto(new Blob([spoiled]));
    assert.ok(facts || refusal?.code === 'damaged' || refusal?.code === 'not-a-picture', `${at}: ${refusal?.code}`);
    assert.ok((await embeddedPreviews(new Blob([spoiled]), 'raw')).length <= 4);
  }
});
