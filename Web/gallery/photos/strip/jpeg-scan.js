// Finds where the coded picture data of a JPEG ends, which only reading through it can tell.

const pieceLengthBytes = 65_536;

/**
 * @param {import('../byte-window.js').ByteWindow} window
 * @param {number} start behind the header of a scan
 * @returns {Promise<number>} where the next marker stands that does not belong to the scan, or the file's end
 */
export async function scanEnd(window, start) {
  let at = start;
  for (;;) {
    const bytes = await window.read(at, pieceLengthBytes);
    if (bytes.length === 0) return at;
    const found = markerIn(bytes);
    if (found.isMarker) return at + found.index;
    if (found.index === 0) return at + bytes.length;
    at += found.index;
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {{ isMarker: boolean, index: number }} the marker's place, or how far one can go without having missed one: 0 when the only byte is the first half of a marker
 */
function markerIn(bytes) {
  let index = bytes.indexOf(0xff);
  while (index !== -1 && index + 1 < bytes.length) {
    const next = bytes[index + 1];
    const belongsToScan = next === 0x00 || (next >= 0xd0 && next <= 0xd7);
    if (!belongsToScan && next !== 0xff) return { isMarker: true, index };
    index = bytes.indexOf(0xff, index + (belongsToScan ? 2 : 1));
  }
  return { isMarker: false, index: index === -1 ? bytes.length : index };
}
