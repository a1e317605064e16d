// Everything that follows from an invitation: the word for the relay, and one epoch's keys, which the relay never sees.

import { ByteReader, ByteWriter } from './bytes.js';
import { extract, hmacKey } from './hkdf.js';
import { bytesOfId } from './identifiers.js';
import { deriveSecret, expandWithLabel } from './labels.js';

/** The keys of one epoch of one conversation. */
export class EpochKeys {
  #epochSecret;

  /**
   * @param {{ conversationId: string, epoch: number, relayToken: Uint8Array<ArrayBuffer>, code: string, epochSecret: CryptoKey, entrySecret: CryptoKey }} values
   * @private
   */
  constructor({ conversationId, epoch, relayToken, code, epochSecret, entrySecret }) {
    this.conversationId = conversationId;
    this.epoch = epoch;
    /** 32 bytes, shown to the relay to be let in. */
    this.relayToken = relayToken;
    /** The session code, `01234 56789 01234 56789`: equal on every screen of the conversation. */
    this.code = code;
    /** For `expandWithLabel` only; cannot be read out. */
    this.entrySecret = entrySecret;
    this.#epochSecret = epochSecret;
  }

  /**
   * @param {{ conversationId: string, secret: Uint8Array }} invitation
   * @returns {Promise<EpochKeys>} those of epoch 0, the only one in version 1
   */
  static async from({ conversationId, secret }) {
    const epoch = 0;
    const id = bytesOfId(conversationId);
    const linkSecret = await hmacKey(await extract(id, secret));
    const relayToken = await expandWithLabel(linkSecret, 'relay token', new Uint8Array(0), 32);
    const psk = await hmacKey(await deriveSecret(linkSecret, 'psk'));
    const epochSecret = await hmacKey(await expandWithLabel(psk, 'epoch', new ByteWriter().raw(id).u64(epoch).finish(), 32));
    const entrySecret = await hmacKey(await deriveSecret(epochSecret, 'entry'));
    const code = sessionCode(await deriveSecret(epochSecret, 'authenticator'));
    return new EpochKeys({ conversationId, epoch, relayToken, code, epochSecret, entrySecret });
  }

  /**
   * The base key of a session's records and samples (RFC 9605 §4.4.2), 16 bytes.
   * @param {string} sessionId
   */
  baseKey(sessionId) {
    return expandWithLabel(this.#epochSecret, 'sframe', bytesOfId(sessionId), 16);
  }
}

/** @param {Uint8Array} authenticator */
function sessionCode(authenticator) {
  const reader = new ByteReader(authenticator);
  const number = (reader.u64() << 64n | reader.u64()) % 10n ** 20n;
  return number.toString().padStart(20, '0').replace(/\d{5}(?=\d)/g, '$& ');
}
