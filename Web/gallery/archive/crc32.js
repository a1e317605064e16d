// The checksum that PNG and ZIP share, fast enough to keep up with a disk.

const sliceCount = 8;
const tables = makeTables();

function makeTables() {
  const made = Array.from({ length: sliceCount }, () => new Uint32Array(256));
  for (let index = 0; index < 256; index += 1) {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    made[0][index] = value >>> 0;
  }
  for (let slice = 1; slice < sliceCount; slice += 1) {
    for (let index = 0; index < 256; index += 1) {
      const value = made[slice - 1][index];
      made[slice][index] = ((value >>> 8) ^ made[0][value & 0xff]) >>> 0;
    }
  }
  return made;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} [before] the checksum of what stands before `bytes`
 * @returns {number} the CRC-32 of IEEE 802.3, from 0 to 2^32 − 1
 */
export function crc32(bytes, before = 0) {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;
  const evenEnd = bytes.length - (bytes.length % sliceCount);
  let crc = ~before;
  let at = 0;
  for (; at < evenEnd; at += sliceCount) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    crc = t7[crc & 0xff] ^ t6[(crc >>> 8) & 0xff] ^ t5[(crc >>> 16) & 0xff] ^ t4[crc >>> 24]
      ^ t3[bytes[at + 4]] ^ t2[bytes[at + 5]] ^ t1[bytes[at + 6]] ^ t0[bytes[at + 7]];
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]) & 0xff];
  return ~crc >>> 0;
}
