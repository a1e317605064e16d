// Builds Vectors/hearth/worked-example.json: one small conversation of fixed keys, with every value on the way, for whoever writes another client.

import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';

import { decode, encode } from '../../groupactivities/base64url.js';
import { BodySealer, bodyLength, hashPart, partCount } from '../../groupactivities/attachment-body.js';
import { ByteWriter, concat } from '../../groupactivities/bytes.js';
import { activityBody, entryKinds, introductionBody, sealEntry } from '../../groupactivities/entry-sealing.js';
import { OWN_SESSION, bytesOfId } from '../../groupactivities/identifiers.js';
import { Identity } from '../../groupactivities/identity.js';
import { Invitation } from '../../groupactivities/invitation.js';
import { EpochKeys } from '../../groupactivities/keys.js';
import { encodeManifest } from '../../groupactivities/manifest.js';
import { RecordSealer, kidOf, recordKinds } from '../../groupactivities/record-sealing.js';
import { deriveKeyAndNonce } from '../../groupactivities/rfc8188.js';
import { SFrameKey, decodeHeader, deriveKeyAndSalt, nonce } from '../../groupactivities/sframe.js';
import { counting, flips, hex, toHex } from './bytes.js';

/** @typedef {import('../../groupactivities/manifest.js').Manifest} Manifest */
/** @typedef {{ what: string, class: 'record' | 'sample', kind: number, payload: Uint8Array, recipients: string[] }} Content */

const text = new TextEncoder();
const conversationId = encode(counting(16, 0x00));
const invitation = new Invitation({ origin: 'https://hearth.example', conversationId, secret: counting(32, 0x10) });
const sessionId = encode(counting(16, 0x40));
const attachmentId = encode(counting(16, 0x50));
const plainLength = 2_200_000;
const bodyKeys = { ikm: counting(16, 0x60), salt: counting(16, 0x70) };
// In this order as text, in the other order as bytes.
const recipients = [encode(new Uint8Array(16).fill(0xfb)), encode(new Uint8Array(16).fill(0x01))];

export async function workedExample() {
  const keys = await EpochKeys.from(invitation);
  const ana = await person(counting(32, 0x80));
  const sealers = {
    record: await RecordSealer.create({ keys, identity: ana.identity, sessionId, class: 'record' }),
    sample: await RecordSealer.create({ keys, identity: ana.identity, sessionId, class: 'sample' }),
  };
  const frames = [];
  for (const content of contents) frames.push(await sealedFrame(keys, ana.identity, sealers[content.class], content));
  const { body, manifest } = await sealedBody();
  const entries = await sealedEntries(keys, ana.identity, manifest);
  return {
    about: 'A worked example of docs/protocol/sealing.md. Bytes are hex, names are base64url, numbers that may pass 2^53 are text. Written by Web/tests/make-worked-example.js.',
    invitation: { link: invitation.link, origin: invitation.origin, conversationId, secret: toHex(invitation.secret) },
    keySchedule: keySchedule(),
    participants: [ana.description],
    session: sessionId,
    frames,
    entries,
    body,
    broken: broken(frames, entries),
  };
}

/** @type {Content[]} */
const contents = [
  { what: 'a message to everyone', class: 'record', kind: recordKinds.message, payload: new ByteWriter().vec(text.encode('Stroke')).raw(text.encode('{"x":1,"note":"ü"}')).finish(), recipients: [] },
  { what: 'a message to two, who are sorted by bytes', class: 'record', kind: recordKinds.message, payload: new ByteWriter().vec(text.encode('message')).raw(text.encode('[true]')).finish(), recipients },
  { what: 'bytes, padded', class: 'record', kind: recordKinds.data, payload: new ByteWriter().vec(new Uint8Array(0)).raw(counting(1_000)).finish(), recipients: [] },
  { what: 'a sample to everyone', class: 'sample', kind: recordKinds.message, payload: new ByteWriter().vec(text.encode('Cursor')).raw(text.encode('[1,2]')).finish(), recipients: [] },
  { what: 'a sample of bytes to one', class: 'sample', kind: recordKinds.data, payload: new ByteWriter().vec(new Uint8Array(0)).raw(counting(9)).finish(), recipients: recipients.slice(1) },
];

/** A key pair of a fixed seed. @param {Uint8Array} seed */
async function person(seed) {
  const pkcs8 = concat(hex('302e020100300506032b657004220420'), seed);
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, false, ['sign']);
  const publicKey = decode(/** @type {string} */ (createPublicKey(createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })).export({ format: 'jwk' }).x));
  const identity = await Identity.of(conversationId, privateKey, publicKey);
  const { participantId } = identity;
  return {
    identity,
    description: { seed: toHex(seed), publicKey: toHex(publicKey), participantId, recordKid: kidOf(participantId, 'record').toString(), sampleKid: kidOf(participantId, 'sample').toString() },
  };
}

/** Every secret of the schedule, by a second implementation of it: the library gives most of them to nobody. */
function keySchedule() {
  const hmac = (/** @type {Uint8Array} */ key, /** @type {Uint8Array} */ message) => new Uint8Array(createHmac('sha256', key).update(message).digest());
  const expandWithLabel = (/** @type {Uint8Array} */ secret, /** @type {string} */ label, /** @type {Uint8Array} */ context, /** @type {number} */ length) => {
    const labelBytes = text.encode(`Hearth1 ${label}`);
    // One block is enough: nothing here is longer than 32 bytes.
    const info = concat(Uint8Array.of(0, length, labelBytes.length), labelBytes, Uint8Array.of(context.length), context, Uint8Array.of(1));
    return hmac(secret, info).subarray(0, length);
  };
  const nothing = new Uint8Array(0);
  const id = bytesOfId(conversationId);
  const linkPrk = hmac(id, invitation.secret);
  const psk = expandWithLabel(linkPrk, 'psk', nothing, 32);
  const epochSecret = expandWithLabel(psk, 'epoch', concat(id, new Uint8Array(8)), 32);
  const authenticator = expandWithLabel(epochSecret, 'authenticator', nothing, 32);
  const digits = (BigInt(`0x${toHex(authenticator.subarray(0, 16))}`) % 10n ** 20n).toString().padStart(20, '0');
  return {
    linkPrk: toHex(linkPrk),
    relayToken: toHex(expandWithLabel(linkPrk, 'relay token', nothing, 32)),
    psk: toHex(psk),
    epochSecret: toHex(epochSecret),
    baseKey: toHex(expandWithLabel(epochSecret, 'sframe', bytesOfId(sessionId), 16)),
    entrySecret: toHex(expandWithLabel(epochSecret, 'entry', nothing, 32)),
    authenticator: toHex(authenticator),
    code: [0, 5, 10, 15].map((start) => digits.slice(start, start + 5)).join(' '),
  };
}

/** @param {EpochKeys} keys @param {Identity} identity @param {RecordSealer} sealer @param {Content} content */
async function sealedFrame(keys, identity, sealer, content) {
  const { counter, sealed } = await sealer.seal(content);
  const baseKey = await keys.baseKey(sessionId);
  const { kid, length } = decodeHeader(sealed);
  const { key, salt } = await deriveKeyAndSalt(baseKey, kid);
  const sorted = content.recipients.map(bytesOfId).toSorted(Buffer.compare);
  const metadata = new ByteWriter().raw(bytesOfId(conversationId)).raw(bytesOfId(sessionId)).u64(0).u8(content.class === 'record' ? 0 : 1).vec(concat(...sorted)).finish();
  const header = sealed.subarray(0, length);
  const plaintext = await (await SFrameKey.derive(baseKey, kid, 'decrypt')).open(counter, header, metadata, sealed.subarray(length));
  return {
    what: content.what, class: content.class, sender: identity.participantId, recipients: content.recipients, kind: content.kind, payload: toHex(content.payload), counter,
    sframeKey: toHex(key), sframeSalt: toHex(salt), nonce: toHex(nonce(salt, BigInt(counter))), header: toHex(header), metadata: toHex(metadata),
    plaintext: toHex(plaintext), sealed: toHex(sealed),
  };
}

async function sealedBody() {
  const plaintext = Uint8Array.from({ length: plainLength }, (_, index) => 31 * index + Math.floor(index / 512) & 0xff);
  const sealer = await BodySealer.create({ ...bodyKeys, attachmentId, plainLength, read: async (offset, length) => plaintext.subarray(offset, offset + length) });
  const parts = await Promise.all(Array.from({ length: partCount(bodyLength(plainLength)) }, (_, number) => sealer.part(number)));
  const partHashes = await Promise.all(parts.map(hashPart));
  const { key, nonce: contentNonce } = await deriveKeyAndNonce(bodyKeys.ikm, bodyKeys.salt);
  /** @type {Manifest} */
  const manifest = { ...bodyKeys, plainLength, partHashes, metadata: { name: 'a.jpg', width: 4000 } };
  return {
    manifest,
    body: {
      attachmentId, ikm: toHex(bodyKeys.ikm), salt: toHex(bodyKeys.salt), plainLength, plaintext: 'byte i is (31 × i + floor(i / 512)) mod 256',
      plaintextHash: toHex(await hashPart(plaintext)), contentKey: toHex(key), contentNonce: toHex(contentNonce), bodyLength: bodyLength(plainLength),
      partLengths: parts.map((part) => part.length), partHashes: partHashes.map(toHex), firstBytes: toHex(parts[0].subarray(0, 64)), lastBytes: toHex(parts.at(-1)?.subarray(-64) ?? new Uint8Array(0)),
    },
  };
}

/** @param {EpochKeys} keys @param {Identity} identity @param {Manifest} manifest */
async function sealedEntries(keys, identity, manifest) {
  const activity = { activityIdentifier: 'org.example.Drawing', activity: { title: 'Plan' }, metadata: { title: 'Plan', type: 'createTogether' } };
  const { plainLength: length, metadata } = manifest;
  const described = { plainLength: length, metadata };
  const all = [
    { session: OWN_SESSION, entry: identity.participantId, kind: entryKinds.introduction, body: introductionBody('Ana Ü'), means: { name: 'Ana Ü' } },
    { session: OWN_SESSION, entry: sessionId, kind: entryKinds.activity, body: activityBody(activity), means: activity },
    { session: sessionId, entry: attachmentId, kind: entryKinds.attachment, body: encodeManifest({ ...manifest, partHashes: [] }), means: { ...described, partHashes: [] } },
    { session: sessionId, entry: attachmentId, kind: entryKinds.attachment, body: encodeManifest(manifest), means: { ...described, partHashes: manifest.partHashes.map(toHex) } },
  ];
  const entries = [];
  for (const [number, { session, entry, kind, body, means }] of all.entries()) {
    const random = counting(16, 0xa0 + 16 * number);
    const sealed = await sealEntry({ keys, identity, sessionId: session, entryId: entry, kind, body, random });
    entries.push({ session, entry, maker: identity.participantId, kind, random: toHex(random), body: toHex(body), means, sealed: toHex(sealed) });
  }
  return entries;
}

/**
 * What must not open: every eleventh byte of each changed, cuts, and things in the wrong place.
 * @param {any[]} frames
 * @param {any[]} entries
 */
function broken(frames, entries) {
  const spoilt = (/** @type {string} */ sealed) => {
    const bytes = hex(sealed);
    const changed = [...flips(bytes)].filter(({ index }) => index % 11 === 0).map(({ index, flipped }) => ({ what: `byte ${index} changed`, sealed: toHex(flipped) }));
    return [...changed, { what: 'cut', sealed: toHex(bytes.subarray(0, -1)) }, { what: 'nothing', sealed: '' }, { what: 'one byte more', sealed: `${sealed}00` }];
  };
  const frameOf = (/** @type {any} */ { class: recordClass, sender, recipients: to, sealed }) => ({ class: recordClass, sender, recipients: to, sealed });
  const entryOf = (/** @type {any} */ { session, entry, sealed }) => ({ session, entry, sealed });
  const [everyone, two, , sample] = frames;
  return {
    frames: [
      ...[everyone, sample].flatMap((frame) => spoilt(frame.sealed).map((each) => ({ ...frameOf(frame), ...each }))),
      { ...frameOf(everyone), what: 'said to be for somebody', recipients },
      { ...frameOf(two), what: 'said to be for everyone', recipients: [] },
      { ...frameOf(two), what: 'said to be for one of two', recipients: recipients.slice(1) },
      { ...frameOf(everyone), what: 'a record taken for a sample', class: 'sample' },
      { ...frameOf(sample), what: 'a sample taken for a record', class: 'record' },
    ],
    entries: [
      ...spoilt(entries[0].sealed).map((each) => ({ ...entryOf(entries[0]), ...each })),
      { ...entryOf(entries[0]), what: 'under another name', entry: attachmentId },
      { ...entryOf(entries[1]), what: 'in another session', session: sessionId },
    ],
  };
}
