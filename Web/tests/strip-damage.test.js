// Cut, spoiled and hostile files: the stripper always comes to an answer, and the answer is true.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { makeFolder, makePictures, put, readPictures } from '../../Tests/oracles/tools.js';
import { stripMetadata } from '../gallery/photos/strip/strip-metadata.js';

const folder = makeFolder(after);
makePictures(folder);
const onePerFormat = ['progressive.jpg', 'turned-6.jpg', 'turned.png', 'moving.png', 'lossy.webp', 'moving.webp', 'moving.gif', 'turned.avif', 'moving.avif', 'fresh.heic'];
const reasons = new Set(['damaged', 'unsupported', 'too-many-parts']);

/** @param {number} seed @returns {() => number} from 0 to below 1 */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes @param {string} message
 */
async function checkedStrip(bytes, message) {
  const blob = new Blob([bytes]);
  const outcome = await stripMetadata(blob);
  const isRefused = outcome.kept.some((word) => reasons.has(word));
  assert.equal(outcome.kept.includes('unreadable'), false, message);
  assert.ok(!isRefused || (outcome.blob === blob && outcome.removed.length === 0), message);
  assert.ok(outcome.blob.size <= blob.size + 64, message);
  if (outcome.blob !== blob) {
    const again = await stripMetadata(outcome.blob);
    assert.deepEqual([again.blob === outcome.blob, again.removed, again.kept], [true, [], outcome.kept], message);
  }
  return { ...outcome, isRefused };
}

test('a picture cut at any byte comes back stripped or as it was', async () => {
  for (const name of onePerFormat) {
    const whole = new Uint8Array(readFileSync(join(folder, name)));
    const step = whole.length > 9_000 ? 5 : 1;
    for (let length = 0; length < whole.length; length += step) {
      await checkedStrip(whole.slice(0, length), `${name} cut at ${length}`);
    }
  }
});

test('a JPEG and a PNG cut inside their pixels lose the place all the same', async () => {
  for (const [name, mark] of /** @type {[string, string][]} */ ([['turned-6.jpg', '\xff\xda'], ['turned.png', 'IDAT']])) {
    const whole = readFileSync(join(folder, name));
    const start = whole.indexOf(Buffer.from(mark, 'latin1'));
    for (const length of [start + 40, whole.length - 60]) {
      const { blob, kept, removed } = await checkedStrip(new Uint8Array(whole.subarray(0, length)), name);
      assert.deepEqual(kept, [], name);
      assert.ok(removed.includes('location'), name);
      assert.equal(Buffer.from(await blob.arrayBuffer()).includes('Hearthcam'), false, name);
    }
  }
});

test('a spoiled picture looks as it looked, whatever is taken out of it', async (context) => {
  const seed = 20_240_501;
  context.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pick = (/** @type {number} */ count) => Math.floor(random() * count);
  const pairs = [];
  for (const name of onePerFormat) {
    const whole = new Uint8Array(readFileSync(join(folder, name)));
    for (let round = 0; round < 400; round += 1) {
      const spoiled = whole.slice();
      // Most of what can go wrong stands near the beginning.
      const reach = round % 2 === 0 ? Math.min(whole.length, 600) : whole.length;
      for (let count = 1 + pick(6); count > 0; count -= 1) spoiled[pick(reach)] = [0, 0xff, 0x7f, 0x80, pick(256), pick(256)][pick(6)];
      const { blob, removed } = await checkedStrip(spoiled, `${name}, seed ${seed}, round ${round}`);
      if (removed.length > 0 && round % 10 < 2) {
        const stem = `${round}-${name}`;
        pairs.push({ stem, paths: [await put(folder, `before-${stem}`, spoiled), await put(folder, `after-${stem}`, blob)] });
      }
    }
  }
  assert.ok(pairs.length > 200, `${pairs.length} pairs`);
  const seen = readPictures(pairs.flatMap(({ paths }) => paths), { isLenient: true });
  let shown = 0;
  for (const [index, { stem }] of pairs.entries()) {
    const [before, afterwards] = [seen[index * 2], seen[index * 2 + 1]];
    // What stood beside the picture can be what a decoder fell over.
    if (before.error !== undefined) continue;
    shown += 1;
    assert.deepEqual(afterwards.frames, before.frames, `${stem}, seed ${seed}`);
  }
  assert.ok(shown > 100, `${shown} shown`);
});

test('lengths that lie end the walk at once', async () => {
  const liars = {
    'a JPEG segment of length 0': '\xff\xd8\xff\xe1\0\0Exif\0\0\0\0\0\0',
    'a JPEG of nothing but fill bytes': `\xff\xd8${'\xff'.repeat(5_000)}`,
    'a PNG chunk of 4 GiB': '\x89PNG\r\n\x1a\n\xff\xff\xff\xffIHDR\0\0\0\0',
    'a PNG chunk of 2 GiB': '\x89PNG\r\n\x1a\n\x7f\xff\xff\xffIHDR\0\0\0\0',
    'a WebP chunk of 4 GiB': 'RIFF\x20\0\0\0WEBPVP8 \xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0',
    'a WebP of 4 GiB': 'RIFF\xff\xff\xff\xffWEBPVP8 \0\0\0\0',
    'a GIF whose blocks run out': `GIF89a\x01\0\x01\0\0\0\0!\xfe${'\x01a'.repeat(5_000)}`,
    'boxes of length 0 inside boxes': '\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x10meta\0\0\0\0\0\0\0\x04',
    'a box of 2^64 bytes': '\0\0\0\x14ftypavif\0\0\0\0avif\0\0\0\x01meta\xff\xff\xff\xff\xff\xff\xff\xff',
  };
  for (const [name, text] of Object.entries(liars)) {
    const { isRefused } = await checkedStrip(new Uint8Array(Buffer.from(text, 'latin1')), name);
    assert.ok(isRefused, name);
  }
});

test('a file of a million parts is given back rather than cut into a million pieces', async () => {
  const comment = Buffer.from('\xff\xfe\0\x02\xff\xdd\0\x04\0\0', 'latin1');
  const whole = readFileSync(join(folder, 'turned-6.jpg'));
  const many = Buffer.concat([whole.subarray(0, 2), ...Array.from({ length: 100_000 }, () => comment), whole.subarray(2)]);
  const { kept, blob } = await checkedStrip(new Uint8Array(many), 'comments');
  assert.deepEqual(kept, ['too-many-parts']);
  assert.equal(blob.size, many.length);
});

test('a photo of 200 MB is read a small piece at a time and its new blob refers to the old one', async () => {
  let largest = 0;
  let sum = 0;
  class Watched extends Blob {
    /** @override @param {number} start @param {number} end */
    slice(start, end) {
      const slice = super.slice(start, end);
      const read = slice.arrayBuffer.bind(slice);
      return Object.assign(slice, {
        arrayBuffer: () => {
          largest = Math.max(largest, slice.size);
          sum += slice.size;
          return read();
        },
      });
    }
  }
  const whole = readFileSync(join(folder, 'turned-6.jpg'));
  const scan = whole.length - 2;
  const megabyte = new Blob([new Uint8Array(1_048_576).fill(0x5a)]);
  const blob = new Watched([new Uint8Array(whole.subarray(0, scan)), ...Array.from({ length: 200 }, () => megabyte), new Uint8Array(whole.subarray(scan))]);
  const outcome = await stripMetadata(blob);
  assert.deepEqual(outcome.kept, []);
  assert.ok(outcome.removed.includes('location'));
  assert.ok(outcome.blob.size > 200 * 1_048_576 && outcome.blob.size < blob.size);
  assert.ok(largest <= 262_144, `${largest} bytes at a time`);
  assert.ok(sum <= blob.size * 1.1, `${sum} bytes in all`);
});
