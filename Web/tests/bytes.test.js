// Integers, lengths and base64url, at their edges.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { decode, encode } from '../groupactivities/base64url.js';
import { ByteReader, ByteWriter, areEqual, concat } from '../groupactivities/bytes.js';
import { bytesOfId, idFromBytes, randomId } from '../groupactivities/identifiers.js';
import { padme } from '../groupactivities/padme.js';
import { counting, hex, toHex } from './support/bytes.js';
import { isCode } from './support/claims.js';

const deserialization = JSON.parse(readFileSync(new URL('../../Vectors/mls/deserialization.json', import.meta.url), 'utf8'));

test('lengths read as RFC 9420\'s vectors say', () => {
  for (const { vlbytes_header: header, length } of deserialization) {
    // The value itself is not there: the error names how long it would be.
    const outcome = (() => {
      try {
        return new ByteReader(hex(header)).vec().length;
      } catch (error) {
        return /** @type {import('../groupactivities/errors.js').HearthError} */ (error).value;
      }
    })();
    assert.equal(outcome, length, header);
  }
});

test('lengths are written as they are read, in the shortest form', () => {
  for (const length of [0, 1, 63, 64, 255, 16_383, 16_384, 70_000]) {
    const written = new ByteWriter().vec(counting(length)).finish();
    assert.deepEqual(new ByteReader(written).vec(), counting(length));
    assert.equal(written.length - length, length < 64 ? 1 : length < 16_384 ? 2 : 4);
  }
});

test('a length in a longer form than it needs is refused', () => {
  for (const text of ['4000', '403f', '80000000', '8000003f', '80003fff', 'c0', 'c000000000000000', 'ff']) {
    assert.throws(() => new ByteReader(concat(hex(text), new Uint8Array(20_000))).vec(), isCode('malformed'), text);
  }
});

test('nothing is read past the end, whatever is asked for', () => {
  const bytes = new Uint8Array(40).subarray(10, 13);
  const reads = /** @type {((reader: ByteReader) => unknown)[]} */ ([
    (reader) => reader.u32(), (reader) => reader.u64(), (reader) => reader.safeU64(), (reader) => reader.take(4), (reader) => reader.bytes32(),
    (reader) => [reader.u16(), reader.u16()], (reader) => reader.take(2 ** 40),
  ]);
  for (const read of reads) assert.throws(() => read(new ByteReader(bytes)), isCode('malformed'));
  assert.throws(() => new ByteReader(hex('ffffffff00')).bytes32(), isCode('malformed'));
  assert.throws(() => new ByteReader(new Uint8Array(0)).u8(), isCode('malformed'));
});

test('integers are big-endian, and come back', () => {
  const bytes = new ByteWriter(1).u8(1).u16(0x0203).u32(0x84050607).u64(0x8809_0a0b_0c0d_0e0fn).u64(2 ** 53 - 1).zeros(2).finish();
  assert.equal(toHex(bytes), '0102038405060788090a0b0c0d0e0f001fffffffffffff0000');
  const reader = new ByteReader(bytes);
  assert.deepEqual([reader.u8(), reader.u16(), reader.u32(), reader.u64(), reader.safeU64(), reader.rest().length, reader.isAtEnd],
    [1, 0x0203, 0x84050607, 0x8809_0a0b_0c0d_0e0fn, 2 ** 53 - 1, 2, true]);
});

test('a count above 2^53 - 1 is refused, not rounded', () => {
  assert.throws(() => new ByteReader(hex('0020000000000000')).safeU64(), isCode('malformed'));
  assert.throws(() => new ByteReader(hex('ffffffffffffffff')).safeU64(), isCode('malformed'));
});

test('a number that does not fit is never cut', () => {
  for (const value of [-1, 256, 1.5, Number.NaN, undefined]) assert.throws(() => new ByteWriter().u8(/** @type {number} */ (value)), RangeError);
  assert.throws(() => new ByteWriter().u16(65_536), RangeError);
  assert.throws(() => new ByteWriter().u32(2 ** 32), RangeError);
  assert.throws(() => new ByteWriter().u64(-1n), RangeError);
});

test('base64url is what Node makes, for every length, and comes back', () => {
  for (let length = 0; length < 70; length += 1) {
    const bytes = counting(length, length * 37);
    assert.equal(encode(bytes), Buffer.from(bytes).toString('base64url'));
    assert.deepEqual(decode(encode(bytes)), bytes);
  }
});

test('base64url has one spelling: padding, other alphabets, stray bits, spaces and odd lengths are refused', () => {
  for (const text of ['A', 'AA=', 'AA==', 'AB', 'AAB', 'A+AA', 'A/AA', ' AAA', 'AAA\n', 'AAAé', 'AAA\u{1f600}', 'AAAAA', '****']) {
    assert.throws(() => decode(text), isCode('malformed'), text);
  }
});

test('a name is 22 characters for 16 bytes', () => {
  const id = randomId();
  assert.equal(id.length, 22);
  assert.equal(idFromBytes(bytesOfId(id)), id);
  for (const text of ['', 'AAAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAB', 'AAAAAAAAAAAAAAAAAAAAAAA']) assert.throws(() => bytesOfId(text), isCode('malformed'));
  assert.throws(() => idFromBytes(new Uint8Array(15)), isCode('malformed'));
});

test('equal bytes are equal only in content and length', () => {
  assert.ok(areEqual(hex('0102'), hex('0102')));
  assert.ok(!areEqual(hex('0102'), hex('010200')));
  assert.ok(!areEqual(hex('0102'), hex('0103')));
});

test('a padded length is at least the length, at most 12 % more, and steady under padding', () => {
  assert.deepEqual([0, 1, 2, 3, 8, 9, 10, 33, 100, 1_000, 1_025, 65_537].map(padme), [0, 1, 2, 3, 8, 10, 10, 36, 104, 1_024, 1_088, 67_584]);
  for (let length = 1; length < 300_000; length += 1 + length % 97) {
    const padded = padme(length);
    const exponent = Math.floor(Math.log2(length));
    const granularity = 2 ** Math.max(0, exponent - (Math.floor(Math.log2(Math.max(1, exponent))) + 1));
    assert.ok(padded >= length && padded - length < granularity && padded % granularity === 0 && padded <= length * 1.12 + 1, `${length}`);
    assert.equal(padme(padded), padded);
  }
});
