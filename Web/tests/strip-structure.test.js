// Files put together by hand: what phones hang behind a picture, what stands in unusual places, and what must not be believed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';

import { makeFolder, makePictures, put, readPictures, readTags } from '../../Tests/oracles/tools.js';
import { stripMetadata } from '../gallery/photos/strip/strip-metadata.js';

const folder = makeFolder(after);
makePictures(folder);
/** @param {string} name */
const picture = (name) => readFileSync(join(folder, name));
const secret = 'Hearthcam';
const latin = (/** @type {string} */ text) => Buffer.from(text, 'latin1');

/** @param {...(Uint8Array | string)} parts */
async function strip(...parts) {
  const outcome = await stripMetadata(new Blob(parts.map((part) => (typeof part === 'string' ? latin(part) : new Uint8Array(part)))));
  return { ...outcome, bytes: Buffer.from(await outcome.blob.arrayBuffer()) };
}

/** @param {number} marker @param {string} content */
function segment(marker, content) {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, latin(content)]);
}

/** @param {string} name @param {...(Uint8Array | string)} content */
function box(name, ...content) {
  const body = Buffer.concat(content.map((part) => (typeof part === 'string' ? latin(part) : part)));
  const head = Buffer.from(`0000${name}`, 'latin1');
  head.writeUInt32BE(body.length + 8, 0);
  return Buffer.concat([head, body]);
}

/** @param {Buffer} before @param {Buffer} afterwards @param {string} name */
async function hasSamePixels(before, afterwards, name) {
  const [left, right] = readPictures([await put(folder, `before-${name}`, before), await put(folder, `after-${name}`, afterwards)]);
  assert.equal(left.error, undefined, name);
  assert.deepEqual(right.frames, left.frames, name);
}

test('a second picture behind the first goes, and its table with it, for it has a camera and a place of its own', async () => {
  const first = picture('turned-6.jpg');
  const whole = Buffer.concat([first.subarray(0, 2), segment(0xe2, 'MPF\0II*\0'), first.subarray(2), picture('turned-1.jpg')]);
  const { bytes, removed, kept } = await strip(whole);
  assert.ok(removed.includes('pictures'));
  assert.deepEqual(kept, []);
  assert.equal(bytes.includes(secret), false);
  assert.equal(bytes.subarray(-2).toString('hex'), 'ffd9');
  assert.equal(bytes.indexOf('MPF'), -1);
  await hasSamePixels(whole, bytes, 'pair.jpg');
});

test('a motion photo loses its video, which tells the place too', async () => {
  const video = Buffer.concat([box('ftyp', 'mp42'), box('moov', box('udta', box('\xa9xyz', '+48.137+011.575/')))]);
  for (const name of ['turned-6.jpg', 'turned.png', 'lossy.webp', 'moving.gif']) {
    const { bytes, removed } = await strip(picture(name), video);
    assert.ok(removed.includes('trailer'), name);
    assert.equal(bytes.includes('+48.137'), false, name);
  }
});

test('a motion photo in HEIC loses its video, also where more boxes follow', async () => {
  const video = box('mpvd', '+48.137+011.575/ and Hearthcam');
  const last = await strip(picture('turned.heic'), video);
  assert.ok(last.removed.includes('trailer'));
  assert.equal(last.blob.size, picture('turned.heic').length);
  const middle = await strip(picture('turned.heic'), video, box('free', ''));
  assert.ok(middle.removed.includes('other'));
  assert.equal(middle.blob.size, picture('turned.heic').length + video.length + 8);
  for (const { bytes } of [last, middle]) {
    assert.equal(bytes.includes('+48.137'), false);
    assert.equal(bytes.includes(secret), false);
    await hasSamePixels(picture('turned.heic'), bytes, 'motion.heic');
  }
});

test('a box with a length of 64 bits stays one when it is emptied', async () => {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write('uuid', 4, 'latin1');
  head.writeBigUInt64BE(40n, 8);
  const { bytes, kept } = await strip(picture('turned.heic'), head, latin(`0123456789abcdef${secret.slice(0, 8)}`), box('free', ''));
  assert.deepEqual(kept, []);
  assert.equal(bytes.includes(secret.slice(0, 8)), false);
  const at = picture('turned.heic').length;
  assert.equal(bytes.toString('latin1', at + 4, at + 8), 'free');
  assert.equal(bytes.readBigUInt64BE(at + 8), 40n);
  await hasSamePixels(picture('turned.heic'), bytes, 'wide.heic');
});

test('notes in the movie of a sequence are freed', async () => {
  const whole = picture('moving.avif');
  const at = whole.indexOf('moov') - 4;
  const end = at + whole.readUInt32BE(at);
  assert.equal(whole.indexOf('mdat') - 4 >= end, true);
  // The movie's place in the file moves, so this one is judged by what is found, not by what is seen.
  const movie = box('moov', whole.subarray(at + 8, end), box('udta', box('\xa9xyz', `+48.137 ${secret}`)), box('meta', '\0\0\0\0', box('hdlr', '\0\0\0\0\0\0\0\0mdta'), box('ilst', secret)));
  const { bytes, removed } = await strip(whole.subarray(0, at), movie, whole.subarray(end));
  assert.ok(removed.includes('other'));
  assert.equal(bytes.indexOf(secret, at), -1);
  assert.equal(bytes.indexOf('udta'), -1);
});

test('segments between the scans of a progressive JPEG are found', async () => {
  const whole = picture('progressive.jpg');
  const scans = [];
  for (let at = whole.indexOf(Buffer.from([0xff, 0xda])); at !== -1; at = whole.indexOf(Buffer.from([0xff, 0xda]), at + 2)) scans.push(at);
  assert.ok(scans.length > 3);
  const spiked = Buffer.concat([whole.subarray(0, scans[2]), segment(0xfe, secret), segment(0xe5, secret), Buffer.from([0xff]), whole.subarray(scans[2])]);
  const { bytes, kept } = await strip(spiked);
  assert.deepEqual(kept, []);
  assert.equal(bytes.includes(secret), false);
  await hasSamePixels(spiked, bytes, 'spiked.jpg');
});

test('the small pictures inside JFIF and JFXX go, the density stays', async () => {
  const whole = picture('grey.jpg');
  assert.equal(whole.toString('latin1', 6, 10), 'JFIF');
  const jfif = segment(0xe0, `JFIF\0\x01\x02\x01\0\x48\0\x48\x02\x02${'Hearthcam!!!'}`);
  const spiked = Buffer.concat([whole.subarray(0, 2), jfif, segment(0xe0, `JFXX\0\x13${secret}`), whole.subarray(20)]);
  const { bytes, removed } = await strip(spiked);
  assert.ok(removed.includes('preview'));
  assert.equal(bytes.includes(secret), false);
  const [tags] = readTags([await put(folder, 'density.jpg', bytes)]);
  assert.equal(tags['JFIF:XResolution'], 72);
  assert.equal(tags['ExifTool:Warning'], undefined);
  await hasSamePixels(spiked, bytes, 'jfif.jpg');
});

test('of two EXIF segments the first says which way is up, and the second is not left', async () => {
  const exif = (/** @type {number} */ orientation) => segment(0xe1, `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`);
  const whole = picture('cmyk.jpg');
  const { bytes, removed } = await strip(whole.subarray(0, 2), exif(6), exif(3), whole.subarray(2));
  assert.ok(removed.includes('exif'));
  const [seen] = readPictures([await put(folder, 'twice.jpg', bytes)]);
  assert.equal(seen.orientation, 6);
  assert.equal(bytes.indexOf('Exif'), bytes.lastIndexOf('Exif'));
});

test('a chunk of PNG or WebP and an extension of GIF that nobody knows goes, and a GIF goes on for ever as before', async () => {
  const png = picture('straight.png');
  const inPng = await strip(png.subarray(0, 33), Buffer.from([0, 0, 0, 9]), `prIv${secret}\0\0\0\0`, png.subarray(33));
  const webp = Buffer.concat([picture('lossy.webp'), Buffer.from(`PRIV\x09\0\0\0${secret}\0`, 'latin1')]);
  webp.writeUInt32LE(webp.length - 8, 4);
  const inWebp = await strip(webp);
  const gif = picture('moving.gif');
  const inGif = await strip(gif.subarray(0, -1), `!\xff\x0bSOMEBODY1.0\x09${secret}\0`, gif.subarray(-1));
  for (const { bytes, removed, kept } of [inPng, inWebp, inGif]) {
    assert.ok(removed.includes('other'));
    assert.deepEqual(kept, []);
    assert.equal(bytes.includes(secret), false);
  }
  assert.ok(inGif.bytes.includes('NETSCAPE2.0'));
});

test('an item table that places EXIF upon the picture is not followed', async () => {
  const whole = picture('fresh.heic');
  const table = whole.indexOf('iloc') + 4;
  // Offsets, lengths and bases of four bytes, three items of one extent each: the picture, EXIF, XMP.
  assert.equal(whole.toString('hex', table, table + 8), '0000000044400003');
  const bases = [0, 1, 2].map((index) => table + 8 + 18 * index + 4);
  for (const at of bases) assert.ok(whole.readUInt32BE(at) > whole.indexOf('mdat'));
  const spoiled = Buffer.from(whole);
  for (const at of bases.slice(1)) spoiled.writeUInt32BE(whole.readUInt32BE(bases[0]), at);
  const { blob, removed, kept } = await strip(spoiled);
  assert.deepEqual(removed, []);
  assert.ok(kept.includes('exif') && kept.includes('xmp'), `${kept}`);
  assert.equal(blob.size, spoiled.length);
  // And none that places it upon the table itself.
  const nested = Buffer.from(whole);
  for (const at of bases.slice(1)) nested.writeUInt32BE(table, at);
  assert.deepEqual((await strip(nested)).removed, []);
});

test('a box of unknown kind that a picture lies in stays, wherever it stands', async () => {
  const whole = picture('fresh.heic');
  const renamed = Buffer.from(whole);
  renamed.write('mdaX', whole.indexOf('mdat'), 'latin1');
  for (const more of ['', box('free', '')]) {
    const { bytes, removed, kept } = await strip(renamed, more);
    assert.deepEqual(removed, []);
    assert.deepEqual(kept.toSorted(), ['exif', 'other', 'xmp']);
    assert.equal(bytes.length, renamed.length + more.length);
  }
  const { bytes, removed, kept } = await strip(renamed, box('mpvd', secret));
  assert.deepEqual(removed, ['other']);
  assert.ok(kept.includes('exif'));
  await hasSamePixels(renamed, bytes, 'renamed.heic');
});

test('what is not a picture of these formats comes back as it is, with the word', async () => {
  const raw = Buffer.concat([latin('II*\0\x08\0\0\0'), latin(secret.repeat(9))]);
  for (const bytes of [raw, latin(''), latin('x'), latin('\xff\xd8\xff'), latin('<svg xmlns="http://www.w3.org/2000/svg"/>'), box('ftyp', 'crx \0\0\0\0crx isom')]) {
    const blob = new Blob([new Uint8Array(bytes)]);
    assert.deepEqual(await stripMetadata(blob), { blob, removed: [], kept: ['unsupported'] });
  }
});

test('a file that cannot be read comes back as it is, with the word', async () => {
  class Lost extends Blob {
    /** @override @returns {Blob} */
    slice() {
      return Object.assign(new Blob(['x']), { arrayBuffer: () => Promise.reject(new Error('gone')) });
    }
  }
  const blob = new Lost([new Uint8Array(picture('turned-6.jpg'))]);
  assert.deepEqual(await stripMetadata(blob), { blob, removed: [], kept: ['unreadable'] });
});
