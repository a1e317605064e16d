// Tells whether two files are the same picture, by a digest of what they are without metadata.

/**
 * @param {Blob} blob a photo with everything beside the picture taken out
 * @returns {Promise<string>} SHA-256 in hexadecimal; empty where the page may not compute it or the file cannot be read
 */
export async function contentDigest(blob) {
  if (globalThis.crypto?.subtle === undefined) return '';
  try {
    const digest = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer());
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}
