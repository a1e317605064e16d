// What the sender of a record says of the log that it has taken in, so that whoever was shown another one finds out.

import { ByteWriter, areEqual, concat } from './bytes.js';
import { bytesOfId } from './identifiers.js';
import { refHash } from './labels.js';

/** The places behind `from` up to `to`, in one incarnation. @typedef {{ incarnation: bigint, from: number, to: number, digest: Uint8Array }} LogStretch */
/** What is seen of one place, at once or once it is hashed. @typedef {Uint8Array | Promise<Uint8Array>} Link */
/** The same with the links of these places in place of their digest. @typedef {{ incarnation: bigint, from: number, to: number, links: Link[] }} OpenStretch */
/**
 * `elsewhere`: it ends before what was seen here begins, or belongs to another incarnation. `unknown`: part of it is not known here.
 * @typedef {'same' | 'different' | 'elsewhere' | 'unknown'} Verdict
 */

const digestLengthBytes = 32;
export const stretchLengthBytes = 3 * 8 + digestLengthBytes;

/**
 * @param {string} sessionId
 * @param {OpenStretch | null} stretch null: of a sender that has no place in the session yet
 */
export async function encodeStretch(sessionId, stretch) {
  if (stretch === null) return new Uint8Array(stretchLengthBytes);
  const { incarnation, from, to } = stretch;
  return new ByteWriter(stretchLengthBytes).u64(incarnation).u64(from).u64(to).raw(await digestOf(sessionId, stretch)).finish();
}

/** @param {import('./bytes.js').ByteReader} reader @returns {LogStretch} */
export function readStretch(reader) {
  return { incarnation: reader.u64(), from: reader.safeU64(), to: reader.safeU64(), digest: reader.take(digestLengthBytes) };
}

/**
 * Whether what stands in the record that has the next place is what was seen here.
 * @param {import('./log-chain.js').LogChain} chain
 * @param {string} sessionId
 * @param {LogStretch} stretch
 * @returns {Promise<Verdict>}
 */
export async function judge(chain, sessionId, stretch) {
  const known = chain.compare(stretch);
  if (typeof known === 'string') return known;
  return areEqual(stretch.digest, await digestOf(sessionId, known)) ? 'same' : 'different';
}

/** @param {string} sessionId @param {OpenStretch} stretch */
async function digestOf(sessionId, { incarnation, from, to, links }) {
  const seen = concat(...await Promise.all(links));
  return refHash('log', new ByteWriter(40 + seen.length).raw(bytesOfId(sessionId)).u64(incarnation).u64(from).u64(to).raw(seen).finish());
}
