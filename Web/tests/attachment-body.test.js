// Bodies: any part at any time, the same bytes each time, and nothing but the whole opens.

import assert from 'node:assert/strict';
import { createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import test from 'node:test';

import { BodyOpener, BodySealer, bodyLength, hashPart, partCount, partLength } from '../groupactivities/attachment-body.js';
import { concat } from '../groupactivities/bytes.js';
import { bytesOfId, randomId } from '../groupactivities/identifiers.js';
import { limits } from '../groupactivities/limits.js';
import { counting } from './support/bytes.js';
import { isCode } from './support/claims.js';

const { partSizeBytes } = limits;
const recordPlain = 65_519;

/** @param {number} length @param {Uint8Array} [plaintext] */
function attachment(length, plaintext = Uint8Array.from({ length }, (_, index) => index * 31 + (index >> 9) & 0xff)) {
  const options = { ikm: counting(16, 3), salt: counting(16, 90), attachmentId: randomId(), plainLength: length };
  const read = async (/** @type {number} */ offset, /** @type {number} */ count) => plaintext.subarray(offset, offset + count);
  return { plaintext, options, sealer: () => BodySealer.create({ ...options, read }), opener: () => BodyOpener.create({ ...options, bodyLength: bodyLength(length) }) };
}

/** @param {BodySealer} sealer */
async function parts(sealer) {
  return Promise.all(Array.from({ length: sealer.partCount }, (_, number) => sealer.part(number)));
}

/** @param {BodyOpener} opener @param {Uint8Array[]} sealed */
async function open(opener, sealed) {
  const pieces = [];
  for (const [number, bytes] of sealed.entries()) pieces.push(...await opener.part(number, bytes));
  await opener.finish();
  return concat(...pieces);
}

const lengths = [0, 1, recordPlain - 1, recordPlain, recordPlain + 1, 2 * recordPlain, 16 * recordPlain - 38, 16 * recordPlain - 37, 16 * recordPlain - 36, 16 * recordPlain, 16 * recordPlain + 1,
  32 * recordPlain - 37, 32 * recordPlain, 3_000_000];
for (const length of lengths) {
  test(`a body of ${length} bytes comes back, cut as announced`, async () => {
    const { plaintext, sealer, opener } = attachment(length);
    const sealed = await parts(await sealer());
    assert.equal(sealed.length, partCount(bodyLength(length)));
    assert.deepEqual(sealed.map((part) => part.length), sealed.map((_, number) => partLength(number, bodyLength(length))));
    assert.equal(concat(...sealed).length, bodyLength(length));
    assert.ok(sealed.slice(0, -1).every((part) => part.length === partSizeBytes));
    assert.deepEqual(await open(await opener(), sealed), plaintext);
  });

  test(`a body of ${length} bytes is RFC 8188's, as another reader of it sees`, async () => {
    const { plaintext, options, sealer } = attachment(length);
    const body = concat(...await parts(await sealer()));
    assert.deepEqual(body.subarray(0, 37), concat(options.salt, Uint8Array.of(0, 1, 0, 0, 16), bytesOfId(options.attachmentId)));
    const key = Buffer.from(hkdfSync('sha256', options.ikm, options.salt, 'Content-Encoding: aes128gcm\0', 16));
    const base = Buffer.from(hkdfSync('sha256', options.ikm, options.salt, 'Content-Encoding: nonce\0', 12));
    const pieces = [];
    for (let record = 0, offset = 37; offset < body.length; record += 1, offset += 65_536) {
      const sealed = body.subarray(offset, offset + 65_536);
      const nonce = Buffer.from(base);
      nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ record) >>> 0, 8);
      const cipher = createDecipheriv('aes-128-gcm', key, nonce);
      cipher.setAuthTag(sealed.subarray(-16));
      const content = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
      assert.equal(content.at(-1), offset + 65_536 >= body.length ? 2 : 1);
      pieces.push(content.subarray(0, -1));
    }
    assert.deepEqual(concat(...pieces), plaintext);
  });
}

test('a part is the same bytes whenever and by whomever it is asked for', async () => {
  const { sealer } = attachment(3_000_000);
  const [inOrder, other] = [await sealer(), await sealer()];
  const expected = await parts(inOrder);
  for (const number of [2, 0, 2, 1]) assert.deepEqual(await other.part(number), expected[number]);
  assert.deepEqual(await inOrder.part(1), expected[1]);
});

test('hashPart is SHA-256', async () => {
  assert.deepEqual(await hashPart(counting(70)), new Uint8Array(createHash('sha256').update(counting(70)).digest()));
});

test('parts that are given without waiting for each other open in order', async () => {
  const { plaintext, sealer, opener } = attachment(3_000_000);
  const sealed = await parts(await sealer());
  const opening = await opener();
  const pieces = sealed.map((part, number) => opening.part(number, part));
  await opening.finish();
  assert.deepEqual(concat(...(await Promise.all(pieces)).flat()), plaintext);
});

test('a part with any byte changed does not open', async () => {
  const { sealer, opener } = attachment(300);
  const [part] = await parts(await sealer());
  for (let index = 0; index < part.length; index += 1) {
    const flipped = new Uint8Array(part);
    flipped[index] ^= 1 << index % 8;
    const opening = await opener();
    await assert.rejects(opening.part(0, flipped), isCode('tampered'), `byte ${index}`);
    await assert.rejects(opening.finish(), isCode('tampered'), `byte ${index}`);
  }
});

test('a byte changed in any record of a large body is found', async () => {
  const { sealer, opener } = attachment(2_200_000);
  const sealed = await parts(await sealer());
  for (let offset = 40; offset < bodyLength(2_200_000); offset += 65_500) {
    const number = Math.floor(offset / partSizeBytes);
    const changed = sealed.map((part) => new Uint8Array(part));
    changed[number][offset % partSizeBytes] ^= 0x10;
    await assert.rejects(opener().then((opening) => open(opening, changed)), isCode('tampered'), `byte ${offset}`);
  }
});

test('parts in another order, twice, left out, cut, lengthened or of another attachment are refused', async () => {
  const { sealer, opener } = attachment(3_000_000);
  const other = attachment(3_000_000);
  const [first, second, third] = await parts(await sealer());
  const [otherFirst] = await parts(await other.sealer());
  const wrong = [
    [second, first, third], [first, first, third], [first, third], [first, second, third.subarray(1)], [first, second, concat(third, Uint8Array.of(0))],
    [first, second, third.subarray(0, -1)], [first, second, third, third], [first, second], [first], [], [otherFirst, second, third], [first, second, second], [new Uint8Array(0)],
  ];
  for (const sealed of wrong) await assert.rejects(opener().then((opening) => open(opening, sealed)), isCode('tampered'));
  const skipping = await opener();
  await assert.rejects(skipping.part(1, second), isCode('tampered'));
});

test('a body that ends early at a record\'s end is refused, although each of its records opens', async () => {
  const long = attachment(3 * recordPlain);
  const [part] = await parts(await long.sealer());
  const cut = part.subarray(0, 37 + 2 * 65_536);
  const opener = await BodyOpener.create({ ...long.options, plainLength: 2 * recordPlain, bodyLength: cut.length });
  await assert.rejects(open(opener, [cut]), isCode('tampered'));
});

test('lengths that do not fit each other are refused before a part is loaded', async () => {
  const { options } = attachment(1_000);
  for (const figures of [{ plainLength: 1_000, bodyLength: 1_053 }, { plainLength: 1_001, bodyLength: 1_054 }, { plainLength: 1_000, bodyLength: 0 }, { plainLength: 100_000_001, bodyLength: bodyLength(100_000_001) }]) {
    await assert.rejects(BodyOpener.create({ ...options, ...figures }), isCode('tampered'));
  }
});

test('an attachment of 100,000,001 bytes is refused with the limit and the value, before anything is read', async () => {
  const { options } = attachment(1);
  const creating = BodySealer.create({ ...options, plainLength: 100_000_001, read: () => assert.fail('nothing is read') });
  await assert.rejects(creating, (/** @type {any} */ error) => isCode('attachment-too-large')(error) && error.limit === 100_000_000 && error.value === 100_000_001);
});

test('a source that changes under way gives no second ciphertext under the same nonce', async () => {
  const { plaintext, sealer } = attachment(3_000_000);
  const sealing = await sealer();
  await sealing.part(0);
  plaintext[12] ^= 1;
  await assert.rejects(sealing.part(0), isCode('source-changed'));
  plaintext[12] ^= 1;
  await sealing.part(0);
  // The record that part 0 and part 1 share.
  plaintext[15 * recordPlain + 7] ^= 1;
  await assert.rejects(sealing.part(1), isCode('source-changed'));
});

test('a source that has become shorter or longer is refused', async () => {
  const { options } = attachment(1_000);
  for (const length of [0, 999, 1_001]) {
    const sealing = await BodySealer.create({ ...options, read: async () => new Uint8Array(length) });
    await assert.rejects(sealing.part(0), isCode('source-changed'));
  }
});

test('a part that does not exist is a mistake of the caller', async () => {
  const sealing = await attachment(1_000).sealer();
  for (const number of [-1, 1, Number.NaN]) await assert.rejects(sealing.part(number), RangeError);
});
