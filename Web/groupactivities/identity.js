// A participant's signing key and the name that follows from it, so that nobody, the relay included, can give a name away.

import { concat } from './bytes.js';
import { HearthError } from './errors.js';
import { bytesOfId, idFromBytes } from './identifiers.js';
import { labelled, refHash } from './labels.js';

const { subtle } = globalThis.crypto ?? {};
const algorithm = { name: 'Ed25519' };
/** WebKitGTK fails to make about one pair in 128: its library drops a key's leading zero byte, and it then misses a byte. */
const pairAttempts = 16;

export const publicKeyLengthBytes = 32;
export const signatureLengthBytes = 64;

/** One participation. Its private key lives in memory and cannot be read out: a reload is a new participant. */
export class Identity {
  #privateKey;

  /** @param {{ conversationId: string, participantId: string, publicKey: Uint8Array<ArrayBuffer>, privateKey: CryptoKey }} values */
  constructor({ conversationId, participantId, publicKey, privateKey }) {
    this.conversationId = conversationId;
    this.participantId = participantId;
    /** 32 bytes. */
    this.publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  /**
   * A fresh one.
   * @param {string} conversationId
   */
  static async create(conversationId) {
    const pair = await freshPair();
    return Identity.of(conversationId, pair.privateKey, new Uint8Array(await subtle.exportKey('raw', pair.publicKey)));
  }

  /**
   * The identity of a key that exists already, as in worked examples.
   * @param {string} conversationId
   * @param {CryptoKey} privateKey
   * @param {Uint8Array<ArrayBuffer>} publicKey
   */
  static async of(conversationId, privateKey, publicKey) {
    return new Identity({ conversationId, participantId: await participantIdOf(conversationId, publicKey), publicKey, privateKey });
  }

  /**
   * @param {string} label
   * @param {Uint8Array} bytes
   * @returns {Promise<Uint8Array<ArrayBuffer>>} 64 bytes
   */
  async sign(label, bytes) {
    return new Uint8Array(await subtle.sign(algorithm, this.#privateKey, labelled(label, bytes)));
  }
}

/** @returns {Promise<CryptoKeyPair>} */
async function freshPair() {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return /** @type {CryptoKeyPair} */ (await subtle.generateKey(algorithm, false, ['sign', 'verify']));
    } catch (error) {
      // Any other error would come again.
      if (!(error instanceof DOMException && error.name === 'OperationError') || attempt === pairAttempts) throw error;
    }
  }
}

/**
 * @param {string} conversationId
 * @param {Uint8Array} publicKey
 */
export async function participantIdOf(conversationId, publicKey) {
  return idFromBytes((await refHash('participant', concat(bytesOfId(conversationId), publicKey))).subarray(0, 16));
}

/**
 * @param {Uint8Array} publicKey
 * @returns {Promise<CryptoKey>}
 * @throws {HearthError} `tampered`: no such key can be
 */
export async function verificationKey(publicKey) {
  try {
    return await subtle.importKey('raw', /** @type {BufferSource} */ (publicKey), algorithm, true, ['verify']);
  } catch (cause) {
    throw new HearthError('tampered', 'A public key that cannot be', { cause });
  }
}

/**
 * @param {Uint8Array | CryptoKey} publicKey 32 bytes, or what `verificationKey` made of them
 * @param {string} label
 * @param {Uint8Array} bytes
 * @param {Uint8Array} signature
 * @param {string} [prefix] of the label
 * @returns {Promise<boolean>} false for a key that cannot be, too
 */
export async function verify(publicKey, label, bytes, signature, prefix) {
  try {
    const key = publicKey instanceof Uint8Array ? await verificationKey(publicKey) : publicKey;
    return await subtle.verify(algorithm, key, /** @type {BufferSource} */ (signature), labelled(label, bytes, prefix));
  } catch {
    return false;
  }
}
