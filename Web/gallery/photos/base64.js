// Bytes as text inside JSON; engines that lack `Uint8Array.toBase64` are still in use.

/** @param {Uint8Array} bytes @returns {string} */
export function bytesToBase64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer> | null} null for what is not base64 */
export function base64ToBytes(text) {
  try {
    const characters = atob(text);
    const bytes = new Uint8Array(characters.length);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}
