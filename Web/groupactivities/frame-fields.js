// The kinds of field that frames are made of, each with its reading and its writing, so that the table of frames is only a table.

import { HearthError } from './errors.js';
import { bytesOfId, idFromBytes } from './identifiers.js';
import { limits } from './limits.js';

const passLengthBytes = 32;

/** @typedef {import('./bytes.js').ByteReader} ByteReader */
/** @typedef {import('./bytes.js').ByteWriter} ByteWriter */

/**
 * A piece of a frame's body: reads its properties, writes them.
 * @template {object} T
 * @typedef {{ read(reader: ByteReader): T, write(writer: ByteWriter, frame: T): void }} Field
 */

/**
 * @template {string} N
 * @template V
 * @param {N} name
 * @param {(reader: ByteReader) => V} read
 * @param {(writer: ByteWriter, value: V) => void} write
 * @returns {Field<Record<N, V>>}
 */
function field(name, read, write) {
  return {
    read: (reader) => /** @type {Record<N, V>} */ ({ [name]: read(reader) }),
    write: (writer, frame) => write(writer, frame[name]),
  };
}

/** @template {string} N @param {N} name */
export const u8 = (name) => field(name, (reader) => reader.u8(), (writer, /** @type {number} */ value) => writer.u8(value));

/** @template {string} N @param {N} name */
export const u16 = (name) => field(name, (reader) => reader.u16(), (writer, /** @type {number} */ value) => writer.u16(value));

/** @template {string} N @param {N} name */
export const u32 = (name) => field(name, (reader) => reader.u32(), (writer, /** @type {number} */ value) => writer.u32(value));

/** A u64 that counts something, as a number. @template {string} N @param {N} name */
export const count = (name) => field(name, (reader) => reader.safeU64(), (writer, /** @type {number} */ value) => writer.u64(value));

/** A u64 that is random, as a BigInt. @template {string} N @param {N} name */
export const token = (name) => field(name, (reader) => reader.u64(), (writer, /** @type {bigint} */ value) => writer.u64(value));

/** @template {string} N @param {N} name */
export const id = (name) => field(name, readId, writeId);

/** Exactly `length` bytes. @template {string} N @param {N} name @param {number} length */
export const fixed = (name, length) =>
  field(name, /** @returns {Uint8Array} */ (reader) => reader.take(length), (writer, value) => {
    if (value.length !== length) throw new RangeError(`${name} has ${value.length} bytes instead of ${length}`);
    writer.raw(value);
  });

/** `bytes(x)` @template {string} N @param {N} name */
export const bytes = (name) => field(name, /** @returns {Uint8Array} */ (reader) => reader.bytes32(), (writer, value) => writer.bytes32(value));

/** `ids(x)` @template {string} N @param {N} name */
export const ids = (name) =>
  field(name, (reader) => list(reader, reader.u8(), limits.recipientCountLimit, readId), (writer, /** @type {string[]} */ value) => {
    writer.u8(value.length);
    for (const each of value) writeId(writer, each);
  });

/**
 * `u16 count ‖ count × item`
 * @template {string} N
 * @template {object} T
 * @param {N} name
 * @param {number} countLimit
 * @param {Field<T>} item
 */
export const items = (name, countLimit, item) =>
  field(name, (reader) => list(reader, reader.u16(), countLimit, item.read), (writer, /** @type {T[]} */ value) => {
    writer.u16(value.length);
    for (const each of value) item.write(writer, each);
  });

/**
 * Two fields in one.
 * @template {object} A
 * @template {object} B
 * @param {Field<A>} first
 * @param {Field<B>} second
 * @returns {Field<A & B>}
 */
export const both = (first, second) => ({
  read: (reader) => ({ ...first.read(reader), ...second.read(reader) }),
  write: (writer, frame) => {
    first.write(writer, frame);
    second.write(writer, frame);
  },
});

/**
 * One byte of flags: the first name is bit 1, the next bit 2. Other bits are ignored.
 * @template {string} N
 * @param {...N} names
 * @returns {Field<Record<N, boolean>>}
 */
export const flags = (...names) => ({
  read: (reader) => {
    const value = reader.u8();
    return /** @type {Record<N, boolean>} */ (Object.fromEntries(names.map((name, bit) => [name, (value >> bit & 1) === 1])));
  },
  write: (writer, frame) => writer.u8(names.reduce((value, name, bit) => value | Number(frame[name]) << bit, 0)),
});

/**
 * The flags of `hello`, what stands between them and its end, and the pass that may stand there: the one field whose presence another tells of.
 * @template {object} T
 * @param {Field<T>} middle
 * @returns {Field<T & { create: boolean, pass: Uint8Array | null }>}
 */
export const helloFields = (middle) => ({
  read: (reader) => {
    const value = reader.u8();
    const rest = middle.read(reader);
    return { ...rest, create: (value & 1) === 1, pass: (value & 2) === 2 ? reader.take(passLengthBytes) : null };
  },
  write: (writer, frame) => {
    if (frame.pass && frame.pass.length !== passLengthBytes) throw new RangeError(`A pass has ${frame.pass.length} bytes instead of ${passLengthBytes}`);
    writer.u8(Number(frame.create) | (frame.pass ? 2 : 0));
    middle.write(writer, frame);
    if (frame.pass) writer.raw(frame.pass);
  },
});

/** 1 yes, anything else no. @template {string} N @param {N} name */
export const yes = (name) => field(name, (reader) => reader.u8() === 1, (writer, /** @type {boolean} */ value) => writer.u8(Number(value)));

/** 1 connected, 0 away. @template {string} N @param {N} name */
export const presence = (name) => field(name, (reader) => reader.u8() === 1, (writer, /** @type {boolean} */ value) => writer.u8(Number(value)));

/**
 * A number that stands for a word; one that is not in the list reads as `unknown`.
 * @template {string} N
 * @template {string} W
 * @param {N} name
 * @param {1 | 2} size in bytes
 * @param {Readonly<Record<number, W>>} words
 */
export const word = (name, size, words) =>
  field(
    name,
    /** @returns {W | 'unknown'} */ (reader) => words[size === 1 ? reader.u8() : reader.u16()] ?? 'unknown',
    (writer, value) => {
      const number = Object.entries(words).find(([, each]) => each === value)?.[0];
      if (number === undefined) throw new RangeError(`${name} cannot be ${value}`);
      if (size === 1) writer.u8(Number(number));
      else writer.u16(Number(number));
    },
  );

/** @param {ByteReader} reader */
function readId(reader) {
  return idFromBytes(reader.take(16));
}

/** @param {ByteWriter} writer @param {string} value */
function writeId(writer, value) {
  writer.raw(bytesOfId(value));
}

/**
 * @template T
 * @param {ByteReader} reader
 * @param {number} length
 * @param {number} countLimit
 * @param {(reader: ByteReader) => T} readItem
 */
function list(reader, length, countLimit, readItem) {
  if (length > countLimit) throw new HearthError('malformed', `A list of ${length}, where ${countLimit} are allowed`, { limit: countLimit, value: length });
  return Array.from({ length }, () => readItem(reader));
}
