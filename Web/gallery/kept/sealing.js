// Seals what a tab keeps under a key that follows from its invitation alone, in pieces, so that no photo has to be in memory twice.

const pieceSizeBytes = 4_194_304;
const nonceSizeBytes = 12;

/**
 * @param {string} link of the invitation, the part behind # included
 * @returns {Promise<CryptoKey>} not to be taken out; nothing that is kept on the device gives it
 */
export async function keyOf(link) {
  const { pathname, hash } = new URL(link);
  const secret = await crypto.subtle.importKey('raw', utf8(hash), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: utf8(pathname), info: utf8('Hearth gallery: kept on this device') };
  return crypto.subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

/** @param {Blob} blob @returns {number} */
export function pieceCountOf(blob) {
  return Math.ceil(blob.size / pieceSizeBytes);
}

/** @param {Blob} blob @param {number} number @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function pieceOf(blob, number) {
  return new Uint8Array(await blob.slice(number * pieceSizeBytes, (number + 1) * pieceSizeBytes).arrayBuffer());
}

/**
 * @param {CryptoKey} key
 * @param {string} place what it is and where it belongs: it opens nowhere else
 * @param {Uint8Array<ArrayBuffer>} plain
 * @returns {Promise<ArrayBuffer>}
 */
export async function seal(key, place, plain) {
  // Random: counters would have to outlive the page. 2^32 pieces under one key are far off.
  const nonce = crypto.getRandomValues(new Uint8Array(nonceSizeBytes));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce, additionalData: utf8(place) }, key, plain);
  return new Blob([nonce, sealed]).arrayBuffer();
}

/**
 * @param {CryptoKey} key
 * @param {string} place
 * @param {ArrayBuffer} sealed
 * @returns {Promise<ArrayBuffer>} rejects when it is not what was sealed for this place
 */
export function open(key, place, sealed) {
  const nonce = sealed.slice(0, nonceSizeBytes);
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce, additionalData: utf8(place) }, key, sealed.slice(nonceSizeBytes));
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function utf8(text) {
  return new TextEncoder().encode(text);
}
