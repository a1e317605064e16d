// The records of a ZIP archive as bytes (APPNOTE 6.3.10): values in, bytes out.

/** Bytes as streams and blobs take them. @typedef {Uint8Array<ArrayBuffer>} Bytes */
/**
 * @typedef {object} EntryRecord what the archive says of one entry, twice
 * @property {Bytes} name UTF-8
 * @property {Date} modified
 * @property {number} crc
 * @property {number} sizeBytes
 * @property {number} offset of its local header
 * @property {boolean} hasDescriptor its checksum and size follow its data
 * @property {boolean} isLarge its local header has room for sizes of 64 bits
 */

/** What does not fit into 32 bits is written as this, and in 64 bits elsewhere; the value itself counts as not fitting. */
export const limit32 = 0xffffffff;
const limit16 = 0xffff;

const flagUtf8 = 0x0800;
const flagDescriptor = 0x0008;
const versionPlain = 20;
const versionZip64 = 45;
const madeOnUnix = 3 << 8;
const regularFileReadableByAll = 0o100644;

/** Writes little-endian numbers one behind the other. */
class LittleWriter {
  /** @param {number} length */
  constructor(length) {
    this.bytes = new Uint8Array(length);
    this.view = new DataView(this.bytes.buffer);
    this.at = 0;
  }

  /** @param {...number} values */
  u16(...values) {
    for (const value of values) {
      this.view.setUint16(this.at, value, true);
      this.at += 2;
    }
    return this;
  }

  /** @param {...number} values */
  u32(...values) {
    for (const value of values) {
      this.view.setUint32(this.at, value, true);
      this.at += 4;
    }
    return this;
  }

  /** @param {...number} values */
  u64(...values) {
    for (const value of values) {
      this.view.setBigUint64(this.at, BigInt(value), true);
      this.at += 8;
    }
    return this;
  }

  /** @param {Uint8Array} bytes */
  raw(bytes) {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
    return this;
  }
}

/** @param {EntryRecord} entry @returns {Bytes} what stands before the entry's data */
export function localHeader(entry) {
  const [crc, size] = entry.hasDescriptor ? [0, 0] : [entry.crc, entry.sizeBytes];
  const wide = entry.isLarge ? new LittleWriter(20).u16(0x0001, 16).u64(size, size).bytes : new Uint8Array(0);
  const extra = join(wide, timeField(entry.modified));
  const narrow = entry.isLarge ? limit32 : size;
  return new LittleWriter(30 + entry.name.length + extra.length)
    .u32(0x04034b50)
    .u16(entry.isLarge ? versionZip64 : versionPlain, flagsOf(entry), 0, ...dosTime(entry.modified))
    .u32(crc, narrow, narrow)
    .u16(entry.name.length, extra.length)
    .raw(entry.name)
    .raw(extra).bytes;
}

/** @param {EntryRecord} entry @returns {Bytes} what stands behind the data of an entry whose size was not known before */
export function dataDescriptor(entry) {
  const writer = new LittleWriter(entry.isLarge ? 24 : 16).u32(0x08074b50, entry.crc);
  return (entry.isLarge ? writer.u64(entry.sizeBytes, entry.sizeBytes) : writer.u32(entry.sizeBytes, entry.sizeBytes)).bytes;
}

/** @param {EntryRecord} entry @returns {Bytes} the entry's line in the directory at the archive's end */
export function directoryRecord(entry) {
  const isSizeWide = entry.sizeBytes >= limit32;
  const isOffsetWide = entry.offset >= limit32;
  const wide = [...(isSizeWide ? [entry.sizeBytes, entry.sizeBytes] : []), ...(isOffsetWide ? [entry.offset] : [])];
  const wideField = wide.length === 0 ? new Uint8Array(0) : new LittleWriter(4 + 8 * wide.length).u16(0x0001, 8 * wide.length).u64(...wide).bytes;
  const extra = join(wideField, timeField(entry.modified));
  const version = entry.isLarge || wide.length > 0 ? versionZip64 : versionPlain;
  const size = isSizeWide ? limit32 : entry.sizeBytes;
  return new LittleWriter(46 + entry.name.length + extra.length)
    .u32(0x02014b50)
    .u16(madeOnUnix | version, version, flagsOf(entry), 0, ...dosTime(entry.modified))
    .u32(entry.crc, size, size)
    .u16(entry.name.length, extra.length, 0, 0, 0)
    .u32(regularFileReadableByAll * 0x10000, isOffsetWide ? limit32 : entry.offset)
    .raw(entry.name)
    .raw(extra).bytes;
}

/**
 * @param {number} count of entries
 * @param {number} offset of the directory
 * @param {number} length of the directory in bytes
 * @returns {Bytes} what ends the archive
 */
export function endOfDirectory(count, offset, length) {
  const isWide = count >= limit16 || offset >= limit32 || length >= limit32;
  const writer = new LittleWriter(isWide ? 98 : 22);
  if (isWide) {
    writer.u32(0x06064b50).u64(44).u16(madeOnUnix | versionZip64, versionZip64).u32(0, 0).u64(count, count, length, offset);
    writer.u32(0x07064b50, 0).u64(offset + length).u32(1);
  }
  const shown = Math.min(count, limit16);
  return writer.u32(0x06054b50).u16(0, 0, shown, shown).u32(Math.min(length, limit32), Math.min(offset, limit32)).u16(0).bytes;
}

/** @param {EntryRecord} entry */
function flagsOf(entry) {
  return flagUtf8 | (entry.hasDescriptor ? flagDescriptor : 0);
}

/** The clock on the wall, in steps of two seconds, for readers that know no better. @param {Date} date @returns {[number, number]} */
function dosTime(date) {
  const year = date.getFullYear();
  if (!(year >= 1980)) return [0, (1 << 5) | 1];
  if (year > 2107) return [(23 << 11) | (59 << 5) | 29, (127 << 9) | (12 << 5) | 31];
  return [
    (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1),
    ((year - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate(),
  ];
}

/** The moment in UTC, where it fits into the signed 32 bits that readers expect. @param {Date} date */
function timeField(date) {
  const seconds = Math.floor(date.getTime() / 1000);
  if (!(seconds >= 0 && seconds <= 0x7fffffff)) return new Uint8Array(0);
  const writer = new LittleWriter(9).u16(0x5455, 5);
  writer.bytes[4] = 1;
  writer.at = 5;
  return writer.u32(seconds).bytes;
}

/** @param {Uint8Array} left @param {Uint8Array} right */
function join(left, right) {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
