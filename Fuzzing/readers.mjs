// The browser's readers of bytes and texts that others made: what is read is what would be written, and what cannot be read is refused with a word.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { decodeFrames, encodeFrame } from '../Web/groupactivities/frames.js';
import { ByteReader, ByteWriter } from '../Web/groupactivities/bytes.js';
import { doorBody, readDoor } from '../Web/groupactivities/door.js';
import { readActivity, readIntroduction } from '../Web/groupactivities/entry-bodies.js';
import { HearthError } from '../Web/groupactivities/errors.js';
import { Invitation } from '../Web/groupactivities/invitation.js';
import { readStretch, stretchLengthBytes } from '../Web/groupactivities/log-stretch.js';
import { decodeManifest, encodeManifest } from '../Web/groupactivities/manifest.js';
import { decodeMessage } from '../Web/groupactivities/message-payload.js';
import { decodeHeader as decodeBodyHeader } from '../Web/groupactivities/rfc8188.js';
import { readPadded } from '../Web/groupactivities/sealed-content.js';
import { decodeHeader, encodeHeader } from '../Web/groupactivities/sframe.js';
import { run } from './campaign.mjs';

const text = new TextDecoder();

/** Every reader gets the bytes behind the one that chooses it. @type {((bytes: Uint8Array<ArrayBuffer>) => string)[]} */
const readers = [
  (bytes) => {
    // A number that this version has no word for is read and never written.
    const frames = [...decodeFrames(bytes)].filter((frame) => !Object.values(frame).includes('unknown'));
    const written = frames.flatMap((frame) => [...encodeFrame(frame)]);
    assert.deepEqual([...decodeFrames(Uint8Array.from(written))], frames);
    return frames.map(({ type }) => type).join();
  },
  (bytes) => {
    const header = decodeHeader(bytes);
    if (header === null) return 'none';
    const { kid, counter } = header;
    const again = encodeHeader(kid, counter);
    assert.deepEqual(bytes.slice(0, again.length), Uint8Array.from(again));
    return `header of ${again.length}`;
  },
  (bytes) => `introduction ${readIntroduction(bytes)?.length}`,
  (bytes) => `activity ${Object.keys(readActivity(bytes) ?? {}).length}`,
  (bytes) => {
    const manifest = decodeManifest(bytes);
    if (!manifest) return 'none';
    assert.deepEqual(decodeManifest(encodeManifest(manifest)), manifest);
    return `manifest of ${manifest.partHashes.length}`;
  },
  (bytes) => `message ${typeof decodeMessage(bytes[0] ?? 0, bytes.subarray(1))?.message}`,
  (bytes) => `body ${decodeBodyHeader(bytes)?.recordSize}`,
  (bytes) => {
    const invitation = Invitation.parse(text.decode(bytes));
    assert.equal(Invitation.parse(invitation.link).link, invitation.link);
    return 'invitation';
  },
  (bytes) => {
    const door = readDoor(bytes);
    if (door.mode === 'unknown') return 'door of a later version';
    const written = doorBody(door);
    assert.deepEqual(written, bytes.slice(0, written.length));
    return `door ${door.mode}`;
  },
  (bytes) => {
    const reader = new ByteReader(bytes);
    const { incarnation, from, to, digest } = readStretch(reader);
    assert.deepEqual(new ByteWriter(stretchLengthBytes).u64(incarnation).u64(from).u64(to).raw(digest).finish(), bytes.slice(0, stretchLengthBytes));
    const { kind } = readPadded(reader.rest());
    return `stretch and kind ${kind}`;
  },
];

/** @param {string} name */
const vectors = (name) => JSON.parse(readFileSync(new URL(`../Vectors/${name}`, import.meta.url), 'utf8'));

/** @param {unknown} value @returns {Generator<Uint8Array>} */
function* hexadecimal(value) {
  if (typeof value === 'string' && /^(?:[0-9a-f]{2})+$/.test(value)) yield Buffer.from(value, 'hex');
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* hexadecimal(inner);
}

function corpus() {
  const inputs = [...hexadecimal(vectors('wire/frames.json'))].map((bytes) => Buffer.concat([Buffer.of(0), bytes]));
  for (const bytes of hexadecimal(vectors('sframe/test-vectors.json').header)) inputs.push(Buffer.concat([Buffer.of(1), bytes]));
  for (const name of ['hearth/worked-example.json', 'hearth/worked-example-swift.json']) {
    const example = vectors(name);
    for (const bytes of hexadecimal(example)) for (let kind = 1; kind < 7; kind += 1) inputs.push(Buffer.concat([Buffer.of(kind), bytes]));
    inputs.push(Buffer.from(`\x07${example.invitation.link}`));
  }
  const places = Buffer.from('000000000000004d00000000000000030000000000000009', 'hex');
  inputs.push(Buffer.concat([Buffer.of(8, 1), places.subarray(0, 8), Buffer.alloc(32, 7)]));
  inputs.push(Buffer.concat([Buffer.of(9), places, Buffer.alloc(32, 7), Buffer.of(1, 2, 0, 5, 0, 0)]));
  return inputs.filter(({ length }) => length < 60_000);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
function check(bytes) {
  if (bytes.length === 0) return undefined;
  const kind = bytes[0] % readers.length;
  try {
    return `${kind} ${readers[kind](bytes.slice(1))}`;
  } catch (error) {
    if (error instanceof HearthError) return `${kind} ${error.code}`;
    throw error;
  }
}

await run({ name: 'readers', corpus, check });
