// What a camera writes beside a picture stays here unless somebody wants it otherwise, and no picture comes twice by accident.

import assert from 'node:assert/strict';
import test from 'node:test';
import { PhotoIntake } from '../gallery/intake.js';
import { Gallery } from '../gallery/model.js';
import { bytes, jpeg, png, tiff } from './gallery-pictures.js';

/** @param {{ keepsMetadata?: boolean }} [choices] */
function intakeOf({ keepsMetadata = false } = {}) {
  const gallery = new Gallery();
  /** @type {import('../gallery/intake.js').IntakeReport[]} */
  const reports = [];
  const intake = new PhotoIntake(gallery, {
    makeThumbnail: async () => new Blob(['small']), intention: () => () => false, onPrepared: () => {}, keepsMetadata: () => keepsMetadata, onTaken: (report) => reports.push(report),
  });
  return { gallery, intake, reports };
}

/** A JPEG with a date. @param {string} name @param {string} [content] what stands for its pixels */
function camera(name, content = name) {
  const head = jpeg({ exif: tiff({ orientation: 6, takenAt: '2024:05:01 12:30:00' }) }).slice(0, -2);
  return new File([head, new Uint8Array([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]), content, new Uint8Array([0xff, 0xd9])], name);
}

test('what the camera wrote is taken out of what is shared, while the file itself stays here', async () => {
  const { gallery, intake, reports } = intakeOf();
  const file = camera('a.jpg');
  await intake.add([file]);
  const [photo] = gallery.photos;
  assert.equal(photo?.takenAt, '2024-05-01T12:30:00', 'the date was read before it went');
  assert.ok(photo?.original && !(await photo.original.text()).includes('2024:05:01'));
  assert.equal(photo?.source, file);
  assert.equal(photo?.sizeBytes, photo?.original?.size);
  assert.equal(reports[0]?.cleaned, 1);
});

test('with the choice to keep it the file goes as it is', async () => {
  const { gallery, intake, reports } = intakeOf({ keepsMetadata: true });
  const file = camera('a.jpg');
  await intake.add([file]);
  assert.deepEqual(await gallery.photos[0]?.original?.arrayBuffer(), await file.arrayBuffer());
  assert.equal(gallery.photos[0]?.source, null);
  assert.deepEqual([reports[0]?.cleaned, reports[0]?.kept], [0, 1]);
});

test('a file without metadata is shared as it is', async () => {
  const { gallery, intake, reports } = intakeOf();
  await intake.add([new File([png({})], 'a.png')]);
  assert.equal(gallery.photos[0]?.source, null);
  assert.deepEqual(reports, [{ cleaned: 0, thinned: 0, kept: 0 }]);
});

test('the same picture twice is told and not doubled, under whatever name and with or without its metadata', async () => {
  const { gallery, intake } = intakeOf();
  await intake.add([camera('a.jpg', 'same'), camera('b.jpg', 'same')]);
  assert.equal(gallery.photos.length, 1);
  const stripped = new File([/** @type {Blob} */ (gallery.photos[0]?.original)], 'c.jpg');
  await intake.add([stripped]);
  assert.equal(gallery.photos.length, 1);
  assert.deepEqual(gallery.notices.map(({ kind, count }) => [kind, count]), [['not-added-twice', 2]]);
});

test('the same picture twice is doubled when it is wanted, once', async () => {
  const { gallery, intake } = intakeOf();
  await intake.add([camera('a.jpg', 'same'), camera('b.jpg', 'same')]);
  await intake.addHeld('not-added-twice');
  await intake.addHeld('not-added-twice');
  assert.equal(gallery.photos.length, 2);
});

test('a picture that somebody else has shared is known again', async () => {
  const { gallery, intake } = intakeOf();
  await intake.add([camera('a.jpg', 'same')]);
  const [mine] = gallery.photos;
  assert.ok(mine);
  gallery.remove(mine.id);
  gallery.add({ ...mine, id: 'theirs', isMine: false, original: null });
  await intake.add([camera('b.jpg', 'same')]);
  assert.deepEqual(gallery.photos.map(({ id }) => id), ['theirs']);
});

test('a picture whose metadata cannot be taken out waits until somebody says that it may go as it is', async () => {
  const { gallery, intake } = intakeOf();
  // It ends before its pixels begin: nobody can say what else would have stood there.
  await intake.add([new File([jpeg({})], 'odd.jpg')]);
  assert.equal(gallery.photos.length, 0);
  assert.deepEqual(gallery.notices.map(({ kind }) => kind), ['not-cleaned']);
  await intake.addHeld('not-cleaned');
  assert.equal(gallery.photos.length, 1);
});

test('files chosen together keep their order, however long each takes', async () => {
  const { gallery, intake } = intakeOf();
  const names = Array.from({ length: 40 }, (_, number) => `IMG_${1_000 + number}.jpg`);
  await intake.add(names.map((name, number) => camera(name, name.repeat(number % 7 === 0 ? 9_000 : 1))));
  assert.deepEqual(gallery.photos.map(({ name }) => name), names);
});

test('one unreadable file among two hundred and fifty stops only itself', async () => {
  const { gallery, intake } = intakeOf();
  const files = Array.from({ length: 250 }, (_, number) => camera(`${number}.jpg`));
  files[100] = new File([bytes('no picture at all')], 'bad.jpg');
  await intake.add(files);
  assert.equal(gallery.photos.length, 249);
  assert.deepEqual(gallery.notices.map(({ kind, name }) => [kind, name]), [['refused', 'bad.jpg']]);
});
