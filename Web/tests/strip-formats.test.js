// Real pictures of every format lose what a camera wrote beside them, and nothing else; exiftool and Pillow are the judges.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { makeFolder, makePictures, put, readPictures, readTags } from '../../Tests/oracles/tools.js';
import { crc32 } from '../gallery/archive/crc32.js';
import { stripMetadata } from '../gallery/photos/strip/strip-metadata.js';

const before = makeFolder(after);
const stripped = makeFolder(after);
const names = makePictures(before);
const secrets = ['Hearthcam', 'Ember 7', 'SN-4711', 'Glow 50', 'Somebody', 'at home', 'Munich', '2024:05:01', '48.137', 'hello', 'zu Hause'];
const structure = /^(SourceFile|(ExifTool|System|File|Composite|JFIF|Adobe|APP14|ICC.*|QuickTime|Meta|Track\d|PNG|PNG-pHYs|RIFF|GIF|APNG|PNG-.*):.*|IFD0:Orientation)$/;

/** @type {Map<string, { blob: Blob, removed: string[], kept: string[] }>} */
const outcomes = new Map();
for (const name of names) {
  const outcome = await stripMetadata(new Blob([readFileSync(join(before, name))], { type: 'image/test' }));
  outcomes.set(name, outcome);
  await put(stripped, name, outcome.blob);
}
const seenBefore = readPictures(names.map((name) => join(before, name)));
const seenAfter = readPictures(names.map((name) => join(stripped, name)));
const tagsBefore = readTags(names.map((name) => join(before, name)));
const tagsAfter = readTags(names.map((name) => join(stripped, name)));

test('the pictures under test hold a place, a device and a person before they are stripped', () => {
  assert.ok(names.length > 20);
  for (const [index, name] of names.entries()) {
    const text = JSON.stringify(tagsBefore[index]);
    assert.match(text, name.endsWith('.gif') ? /Somebody/ : /Hearthcam/, name);
    assert.match(text, /GPSLatitude"/, name);
    assert.equal(seenBefore[index].error, undefined, name);
  }
});

test('exiftool finds no place, no device, no text and no date of taking afterwards', () => {
  for (const [index, name] of names.entries()) {
    for (const [tag, value] of Object.entries(tagsAfter[index])) {
      assert.match(tag, structure, `${name}: ${tag} = ${value}`);
      assert.doesNotMatch(tag, /:(Warning|Error|Comment|GPS.*|Make|Model|SerialNumber|.*Text)$/, `${name}: ${tag} = ${value}`);
    }
  }
});

test('no byte of what was written beside the picture is left', () => {
  for (const name of names) {
    const bytes = readFileSync(join(stripped, name));
    for (const secret of secrets) assert.equal(bytes.includes(secret), false, `${name}: ${secret}`);
  }
});

test('pixels, frames, durations, repetitions, density, transparency and profile are what they were', () => {
  for (const [index, name] of names.entries()) {
    assert.deepEqual({ ...seenAfter[index], orientation: 0 }, { ...seenBefore[index], orientation: 0 }, name);
  }
});

test('which way is up is what it was', () => {
  for (const [index, name] of names.entries()) assert.equal(seenAfter[index].orientation, seenBefore[index].orientation, name);
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    assert.equal(seenAfter[names.indexOf(`turned-${orientation}.jpg`)].orientation, orientation);
  }
});

test('what was taken out is named, a place by its own name, and nothing is said to be left', () => {
  for (const name of names) {
    const { removed, kept } = outcomes.get(name) ?? assert.fail();
    assert.deepEqual(kept, [], name);
    assert.ok(removed.includes('xmp'), `${name}: ${removed}`);
    if (!name.endsWith('.gif')) assert.ok(removed.includes('exif') && removed.includes('location'), `${name}: ${removed}`);
  }
  assert.ok(outcomes.get('turned-1.jpg')?.removed.includes('iptc'));
  assert.ok(outcomes.get('turned-1.jpg')?.removed.includes('text'));
  assert.ok(outcomes.get('turned.png')?.removed.includes('time'));
});

test('stripping a second time gives the same object back', async () => {
  for (const name of names) {
    const { blob } = outcomes.get(name) ?? assert.fail();
    assert.equal(blob.type, 'image/test', name);
    const again = await stripMetadata(blob);
    assert.equal(again.blob, blob, name);
    assert.deepEqual([again.removed, again.kept], [[], []], name);
  }
});

test('no byte of an AVIF or HEIC moves', () => {
  for (const name of names.filter((each) => /\.(avif|heic)$/.test(each))) {
    assert.equal(outcomes.get(name)?.blob.size, readFileSync(join(before, name)).length, name);
  }
});

test('every chunk of a stripped PNG has the right checksum', () => {
  for (const name of names.filter((each) => each.endsWith('.png'))) {
    const bytes = readFileSync(join(stripped, name));
    let at = 8;
    const found = [];
    while (at < bytes.length) {
      const end = at + 8 + bytes.readUInt32BE(at);
      assert.equal(bytes.readUInt32BE(end), crc32(bytes.subarray(at + 4, end)), `${name} at ${at}`);
      found.push(bytes.toString('latin1', at + 4, at + 8));
      at = end + 4;
    }
    assert.equal(at, bytes.length);
    assert.equal(found.includes('eXIf'), name !== 'straight.png', `${name}: ${found}`);
  }
});

test('a stripped WebP counts its length and declares what it has', () => {
  for (const name of names.filter((each) => each.endsWith('.webp'))) {
    const bytes = readFileSync(join(stripped, name));
    assert.equal(bytes.readUInt32LE(4), bytes.length - 8, name);
    assert.equal(bytes.toString('latin1', 12, 16), 'VP8X', name);
    assert.equal(bytes[20] & 0x04, 0, name);
    assert.equal((bytes[20] & 0x08) !== 0, name !== 'lossless.webp', name);
    assert.equal((bytes[20] & 0x20) !== 0, name === 'lossy.webp', name);
  }
});
