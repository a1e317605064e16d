// Archives as unzip and Python's zipfile see them: whole, with right names, times and sizes, also beyond 32 bits.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test, { after } from 'node:test';

import { makeFolder, python, run } from '../../Tests/oracles/tools.js';
import { crc32 } from '../gallery/archive/crc32.js';
import { endOfDirectory } from '../gallery/archive/zip-records.js';
import { zipOf } from '../gallery/archive/zip-stream.js';

/** @typedef {import('../gallery/archive/zip-stream.js').ZipEntry} ZipEntry */
/** @typedef {{ name: string, size: number, crc: number, modified: number[], flags: number, version: number, digest: string }} Listed */

const folder = makeFolder(after);
const modified = new Date(2024, 4, 1, 12, 30, 20);

/** @param {string} name @param {AsyncIterable<ZipEntry> | Iterable<ZipEntry>} entries */
async function save(name, entries) {
  const path = join(folder, name);
  await pipeline(Readable.fromWeb(/** @type {any} */ (zipOf(entries))), createWriteStream(path));
  return path;
}

/** @param {string} path @returns {Listed[]} */
function list(path) {
  return JSON.parse(python('read_archive.py', path));
}

/** @param {...Uint8Array<ArrayBuffer>} pieces @returns {ReadableStream<Uint8Array>} */
function streamOf(...pieces) {
  return new Blob(pieces).stream();
}

test('the checksum is the one that everybody computes, in one piece and in many', () => {
  const digits = new TextEncoder().encode('123456789');
  assert.equal(crc32(digits), 0xcbf43926);
  assert.equal(crc32(new Uint8Array(0)), 0);
  const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 167 + 13) & 0xff);
  const whole = Number(python('-c', 'import zlib; print(zlib.crc32(bytes((i * 167 + 13) & 255 for i in range(1000))))'));
  for (let cut = 0; cut <= bytes.length; cut += 37) assert.equal(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut))), whole);
});

test('unzip and zipfile find every entry whole, under its name, with its time', async () => {
  const content = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 31) ^ (index >> 9));
  const path = await save('usual.zip', [
    { name: 'large.jpg', modified, blob: new Blob([content]) },
    { name: '寫真 émoji 🏔.png', modified, blob: new Blob(['a']) },
    { name: 'صورة.webp', modified, blob: new Blob([]) },
    { name: 'streamed.jpg', modified, stream: streamOf(content, content), sizeBytes: 6_000_000 },
    { name: 'of unknown length.jpg', modified, stream: streamOf(content) },
  ]);
  assert.match(run('unzip', ['-t', path], 'unzip'), /No errors detected/);
  const listed = list(path);
  assert.deepEqual(listed.map(({ name }) => name), ['large.jpg', '寫真 émoji 🏔.png', 'صورة.webp', 'streamed.jpg', 'of unknown length.jpg']);
  assert.deepEqual(listed.map(({ size }) => size), [3_000_000, 1, 0, 6_000_000, 3_000_000]);
  for (const { modified: time, flags, version } of listed) {
    assert.deepEqual(time, [2024, 5, 1, 12, 30, 20]);
    assert.equal(flags & 0x800, 0x800);
    assert.ok(version <= 45);
  }
  assert.equal(listed[0].flags & 8, 0, 'what is known is said in front');
  assert.equal(listed[3].flags & 8, 8);
  assert.equal(listed[0].digest, listed[4].digest);
});

test('an archive of nothing is one, and times out of reach are brought into it', async () => {
  run('python3', ['-c', 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).namelist() == []', await save('empty.zip', [])], 'python3');
  const times = [new Date(0), new Date(Number.NaN), new Date(2200, 1, 1), new Date(2107, 11, 31, 23, 59, 58)];
  const path = await save('times.zip', times.map((time, index) => ({ name: `${index}`, modified: time, blob: new Blob(['x']) })));
  assert.match(run('unzip', ['-t', path], 'unzip'), /No errors detected/);
  assert.deepEqual(list(path).map(({ modified: time }) => time[0]), [1980, 1980, 2107, 2107]);
});

test('66,000 photos go into one archive', async () => {
  const photo = new Blob(['photo']);
  const path = await save('many.zip', (function* () {
    for (let index = 0; index < 66_000; index += 1) yield { name: 'photo.jpg', modified, blob: photo };
  })());
  const listed = list(path);
  assert.equal(listed.length, 66_000);
  assert.equal(new Set(listed.map(({ name }) => name)).size, 66_000);
  assert.equal(listed[65_999].name, 'photo (66000).jpg');
});

test('a photo beyond 4 GiB and what comes behind it are found, and neither is ever in memory or on disk', async () => {
  const size = 4_294_967_296 + 4_096;
  const piece = new Uint8Array(4_194_304).fill(0x5a);
  let left = size;
  const stream = new ReadableStream({
    pull(controller) {
      const length = Math.min(left, piece.length);
      left -= length;
      if (length > 0) controller.enqueue(piece.subarray(0, length));
      else controller.close();
    },
  }, { highWaterMark: 0 });
  // The reader keeps what is not 0x5a and the lengths of what is: a sparse file would do, but not everywhere.
  const reader = spawn('python3', [new URL('../../Tests/oracles/read_archive.py', import.meta.url).pathname, '--stream'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let printed = '';
  reader.stdout.on('data', (data) => (printed += data));
  const ended = new Promise((resolve) => reader.on('close', resolve));
  let peak = 0;
  const zip = zipOf([
    { name: 'large.bin', modified, stream, sizeBytes: size },
    { name: 'behind.jpg', modified, blob: new Blob(['behind']) },
  ]);
  let count = 0;
  await pipeline(Readable.fromWeb(/** @type {any} */ (zip)), async function* (source) {
    for await (const bytes of source) {
      count += 1;
      if (count % 64 === 0) peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      yield bytes;
    }
  }, reader.stdin);
  assert.equal(await ended, 0);
  const listed = /** @type {Listed[]} */ (JSON.parse(printed));
  assert.deepEqual(listed.map(({ name, size: listedSize }) => [name, listedSize]), [['large.bin', size], ['behind.jpg', 6]]);
  assert.ok(peak < 268_435_456, `${peak} bytes of buffers`);
});

test('a source that fails half-way fails the archive, and nothing that came out looks whole', async () => {
  /** @type {Uint8Array[]} */
  const written = [];
  const failing = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(1_000));
    },
    pull(controller) {
      controller.error(new Error('the relay is gone'));
    },
  }, { highWaterMark: 0 });
  let isEnded = false;
  const entries = (async function* () {
    try {
      yield { name: 'whole.jpg', modified, blob: new Blob(['whole']) };
      yield { name: 'half.jpg', modified, stream: failing, sizeBytes: 2_000 };
      yield { name: 'never.jpg', modified, blob: new Blob(['never']) };
    } finally {
      isEnded = true;
    }
  })();
  await assert.rejects(zipOf(entries).pipeTo(new WritableStream({ write: (bytes) => void written.push(bytes) })), /the relay is gone/);
  assert.equal(isEnded, true);
  const text = Buffer.concat(written).toString('latin1');
  assert.match(text, /half\.jpg/);
  for (const absent of ['never', 'PK\x01\x02', 'PK\x05\x06']) assert.equal(text.indexOf(absent), -1, absent);
});

test('a stream that is longer or shorter than was said, a lost blob and a failing list of entries fail the archive too', async () => {
  const lost = Object.assign(new Blob(['abc']), { slice: () => Object.assign(new Blob(['abc']), { arrayBuffer: () => Promise.reject(new Error('lost')) }) });
  const cases = /** @type {[AsyncIterable<ZipEntry> | Iterable<ZipEntry>, RegExp][]} */ ([
    [[{ name: 'a', modified, stream: streamOf(new Uint8Array(10)), sizeBytes: 9 }], /announced with 9 bytes has more/],
    [[{ name: 'a', modified, stream: streamOf(new Uint8Array(10)), sizeBytes: 11 }], /announced with 11 bytes has only 10/],
    [[{ name: 'a', modified, blob: lost }], /lost/],
    [(async function* () {
      yield* /** @type {ZipEntry[]} */ ([]);
      throw new Error('no list');
    })(), /no list/],
  ]);
  for (const [entries, message] of cases) await assert.rejects(new Response(zipOf(entries)).arrayBuffer(), message);
});

test('nobody is asked for the next photo before the last one is written, and cancelling ends the source', async () => {
  let askedCount = 0;
  /** @type {(reason: unknown) => void} */
  let cancelled = () => {};
  const isCancelled = new Promise((resolve) => (cancelled = resolve));
  const hanging = new ReadableStream({ pull: () => new Promise(() => {}), cancel: cancelled }, { highWaterMark: 0 });
  const reader = zipOf((function* () {
    askedCount += 1;
    yield { name: 'a', modified, blob: new Blob(['a']) };
    askedCount += 1;
    yield { name: 'b', modified, stream: hanging };
  })()).getReader();
  assert.equal(askedCount, 0);
  await reader.read();
  await reader.read();
  assert.equal(askedCount, 1);
  await reader.read();
  assert.equal(askedCount, 2);
  const pending = reader.read();
  await reader.cancel();
  await isCancelled;
  assert.equal((await pending).done, true);
});

test('the directory is written in 64 bits as soon as one of its numbers needs them', () => {
  assert.equal(endOfDirectory(65_534, 0xfffffffe, 0xfffffffe).length, 22);
  for (const bytes of [endOfDirectory(65_535, 1, 1), endOfDirectory(1, 0xffffffff, 1), endOfDirectory(1, 1, 0xffffffff)]) assert.equal(bytes.length, 98);
});
