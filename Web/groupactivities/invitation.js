// The link that lets people in: read as people paste it, and refused with a word that says what is wrong with it.

import { decode, encode } from './base64url.js';
import { HearthError } from './errors.js';
import { bytesOfId, randomId } from './identifiers.js';

const version = '1';
const idLength = 22;
const secretLengthBytes = 32;
const secretLength = 43;
const textLengthLimit = 16_384;

/** Holds the secret from which every key follows; who has it is in. */
export class Invitation {
  /** @type {string} scheme, host and port of the relay */
  origin;
  /** @type {string} */
  conversationId;
  /** @type {Uint8Array<ArrayBuffer>} 32 bytes */
  secret;

  /**
   * @param {{ origin: string, conversationId: string, secret: Uint8Array<ArrayBuffer> }} values
   */
  constructor({ origin, conversationId, secret }) {
    bytesOfId(conversationId);
    if (secret.length !== secretLengthBytes) throw new RangeError(`A secret of ${secret.length} bytes instead of ${secretLengthBytes}`);
    this.origin = httpOrigin(origin);
    this.conversationId = conversationId;
    this.secret = secret;
    Object.freeze(this);
  }

  /**
   * Invites to a new conversation.
   * @param {string} origin of the relay, http or https; a path behind it is left out
   */
  static create(origin) {
    return new Invitation({ origin, conversationId: randomId(), secret: globalThis.crypto.getRandomValues(new Uint8Array(secretLengthBytes)) });
  }

  /**
   * Finds the invitation in what somebody pasted: spaces, brackets, a full stop behind it, a sentence around it or percent-encoding do no harm.
   * @param {string} text
   * @returns {Invitation}
   * @throws {HearthError} `invitation-incomplete`: a part is missing at the end. `invitation-damaged`: it is no invitation, or characters were changed.
   *   `invitation-unsupported`: it was made by a later version.
   */
  static parse(text) {
    const plain = withoutPercents(text.slice(0, textLengthLimit));
    const match = /(https?:\/\/[^\s/?#@\\<>"']+)\/c(?:\/([\w-]*)\/?)?(?:#(\S*))?/i.exec(plain);
    if (match === null) {
      throw /^\s*https?:\/\/[^\s/?#@]*\/?\s*$/i.test(plain) ? incomplete('has no conversation') : damaged('is not a link of the form https://HOST/c/…#1.…');
    }
    const [, origin, conversationId = '', fragment = ''] = match;
    if (conversationId.length < idLength) {
      throw fragment === '' ? incomplete('ends within the conversation') : damaged('names no conversation');
    }
    const secret = secretOf(fragment);
    try {
      return new Invitation({ origin, conversationId, secret: decode(secret) });
    } catch (cause) {
      throw damaged('holds a name or secret that cannot be', cause);
    }
  }

  get link() {
    return `${this.origin}/c/${this.conversationId}#${version}.${encode(this.secret)}`;
  }
}

/**
 * @param {string} fragment
 * @returns {string} the 43 characters of the secret
 */
function secretOf(fragment) {
  const [, digits = '', secret] = /^(\d*)(?:\.([\w-]*))?/.exec(fragment) ?? [];
  if (digits !== '' && secret !== undefined && digits !== version) {
    throw new HearthError('invitation-unsupported', `The invitation is of version ${digits.slice(0, 20)}; this program knows ${version}`);
  }
  if (fragment === '' || (secret === undefined && fragment === digits)) throw incomplete('has no secret behind #');
  if (digits !== version || secret === undefined) throw damaged('has something else than 1. behind #');
  if (secret.length < secretLength) {
    throw incomplete(`has ${secret.length} of ${secretLength} characters of its secret`, { limit: secretLength, value: secret.length });
  }
  if (secret.length > secretLength) throw damaged(`has ${secret.length} characters in place of ${secretLength} of its secret`);
  return secret;
}

/** @param {string} text */
function httpOrigin(text) {
  /** @type {URL} */
  let url;
  try {
    url = new URL(text);
  } catch (cause) {
    throw damaged('has no address', cause);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw damaged('is not an http or https address');
  return url.origin;
}

/**
 * A link needs no percent-encoding, so whatever is encoded was encoded on its way, by some mail programs twice.
 * @param {string} text
 */
function withoutPercents(text) {
  return decodedOnce(decodedOnce(text));
}

/** @param {string} text */
function decodedOnce(text) {
  return text.replace(/%([2-7][0-9a-f])/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** @param {string} what @param {{ limit?: number, value?: number }} [details] */
function incomplete(what, details) {
  return new HearthError('invitation-incomplete', `The invitation ${what}`, details);
}

/** @param {string} what @param {unknown} [cause] */
function damaged(what, cause) {
  return new HearthError('invitation-damaged', `The invitation ${what}`, { cause });
}
