// Seals and opens the ledger's entries: each under a key of its own, each signed by its maker.

import { concat } from './bytes.js';
import { HearthError } from './errors.js';
import { bytesOfId } from './identifiers.js';
import { participantIdOf, publicKeyLengthBytes, signatureLengthBytes, verify } from './identity.js';
import { expandWithLabel } from './labels.js';
import { limits } from './limits.js';
import { padded, paddedLength, readPadded } from './sealed-content.js';

export { activityBody, introductionBody, readActivity, readIntroduction } from './entry-bodies.js';

/** @typedef {import('./identity.js').Identity} Identity */
/** @typedef {import('./keys.js').EpochKeys} EpochKeys */

/** What an entry is. */
export const entryKinds = Object.freeze({ introduction: 1, activity: 2, attachment: 3, door: 4 });

const { subtle } = globalThis.crypto ?? {};
const randomLengthBytes = 16;
const keyLengthBytes = 16;
const nonceLengthBytes = 12;
const tagLengthBytes = 16;
const prefixLengthBytes = signatureLengthBytes + publicKeyLengthBytes;

/**
 * @param {{ keys: EpochKeys, identity: Identity, sessionId: string, entryId: string, kind: number, body: Uint8Array, random?: Uint8Array }} entry
 *   `random`: 16 bytes never used before; only worked examples choose them
 * @returns {Promise<Uint8Array<ArrayBuffer>>} rejects with `entry-too-large`
 */
export async function sealEntry({ keys, identity, sessionId, entryId, kind, body, random = globalThis.crypto.getRandomValues(new Uint8Array(randomLengthBytes)) }) {
  const sealedLength = randomLengthBytes + paddedLength(body.length, prefixLengthBytes) + tagLengthBytes;
  if (sealedLength > limits.entrySizeLimitBytes) {
    throw new HearthError('entry-too-large', `${sealedLength} sealed bytes; an entry has at most ${limits.entrySizeLimitBytes}`, {
      limit: limits.entrySizeLimitBytes,
      value: sealedLength,
    });
  }
  const aad = aadOf(keys, sessionId, entryId);
  const signed = concat(identity.publicKey, padded(kind, body, prefixLengthBytes));
  const signature = await identity.sign('entry', concat(aad, signed));
  const { key, nonce } = await keyAndNonce(keys, entryId, random, 'encrypt');
  const ciphertext = await subtle.encrypt(parameters(nonce, aad), key, concat(signature, signed));
  return concat(random, new Uint8Array(ciphertext));
}

/**
 * @param {{ keys: EpochKeys, sessionId: string, entryId: string, sealed: Uint8Array }} entry
 * @returns {Promise<{ publicKey: Uint8Array<ArrayBuffer>, makerId: string, kind: number, body: Uint8Array<ArrayBuffer> }>} rejects with `tampered`.
 *   An introduction is true only if `makerId` is the entry's name: the caller compares.
 */
export async function openEntry({ keys, sessionId, entryId, sealed }) {
  if (sealed.length < randomLengthBytes + prefixLengthBytes + tagLengthBytes) throw new HearthError('tampered', `An entry of ${sealed.length} bytes`);
  const aad = aadOf(keys, sessionId, entryId);
  const { key, nonce } = await keyAndNonce(keys, entryId, sealed.subarray(0, randomLengthBytes), 'decrypt');
  const content = await decrypted(nonce, aad, key, sealed.subarray(randomLengthBytes));
  const signed = content.subarray(signatureLengthBytes);
  const publicKey = signed.slice(0, publicKeyLengthBytes);
  const isSigned = await verify(publicKey, 'entry', concat(aad, signed), content.subarray(0, signatureLengthBytes));
  if (!isSigned) throw new HearthError('tampered', 'An entry that its maker has not signed');
  const { kind, value } = readPadded(signed.subarray(publicKeyLengthBytes));
  return { publicKey, makerId: await participantIdOf(keys.conversationId, publicKey), kind, body: value };
}

/**
 * @param {Uint8Array} nonce
 * @param {Uint8Array} aad
 * @param {CryptoKey} key
 * @param {Uint8Array} ciphertext
 */
async function decrypted(nonce, aad, key, ciphertext) {
  try {
    return new Uint8Array(await subtle.decrypt(parameters(nonce, aad), key, /** @type {BufferSource} */ (ciphertext)));
  } catch (cause) {
    throw new HearthError('tampered', 'An entry does not open: its bytes, its name or its session are not those that were sealed', { cause });
  }
}

/**
 * @param {EpochKeys} keys
 * @param {string} entryId
 * @param {Uint8Array} random
 * @param {'encrypt' | 'decrypt'} usage
 */
async function keyAndNonce(keys, entryId, random, usage) {
  const bytes = await expandWithLabel(keys.entrySecret, 'entry', concat(bytesOfId(entryId), random), keyLengthBytes + nonceLengthBytes);
  const key = await subtle.importKey('raw', bytes.subarray(0, keyLengthBytes), 'AES-GCM', false, [usage]);
  return { key, nonce: bytes.subarray(keyLengthBytes) };
}

/** @param {EpochKeys} keys @param {string} sessionId @param {string} entryId */
function aadOf(keys, sessionId, entryId) {
  return concat(bytesOfId(keys.conversationId), bytesOfId(sessionId), bytesOfId(entryId));
}

/** @param {Uint8Array} nonce @param {Uint8Array} aad */
function parameters(nonce, aad) {
  return { name: 'AES-GCM', iv: /** @type {BufferSource} */ (nonce), additionalData: /** @type {BufferSource} */ (aad), tagLength: tagLengthBytes * 8 };
}
