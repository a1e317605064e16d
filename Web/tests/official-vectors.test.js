// The functions under the sealing against the vectors of the RFCs they come from.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { decode } from '../groupactivities/base64url.js';
import { concat } from '../groupactivities/bytes.js';
import { hmacKey } from '../groupactivities/hkdf.js';
import { verify } from '../groupactivities/identity.js';
import { deriveSecret, expandWithLabel, refHash } from '../groupactivities/labels.js';
import * as rfc8188 from '../groupactivities/rfc8188.js';
import { SFrameKey, decodeHeader, deriveKeyAndSalt, encodeHeader, nonce } from '../groupactivities/sframe.js';
import { flips, hex, toHex } from './support/bytes.js';
import { isCode } from './support/claims.js';

/** @param {string} path */
const text = (path) => readFileSync(new URL(`../../Vectors/${path}`, import.meta.url), 'utf8');

const mls = JSON.parse(text('mls/crypto-basics.json')).find((/** @type {any} */ each) => each.cipher_suite === 1);
const mlsPrefix = 'MLS 1.0 ';

test('ExpandWithLabel, DeriveSecret and RefHash are RFC 9420\'s', async () => {
  const expand = mls.expand_with_label;
  assert.equal(toHex(await expandWithLabel(await hmacKey(hex(expand.secret)), expand.label, hex(expand.context), expand.length, mlsPrefix)), expand.out);
  const derive = mls.derive_secret;
  assert.equal(toHex(await deriveSecret(await hmacKey(hex(derive.secret)), derive.label, mlsPrefix)), derive.out);
  const hash = mls.ref_hash;
  // RFC 9420 §5.2 puts no prefix before this label.
  assert.equal(toHex(await refHash(hash.label, hex(hash.value), '')), hash.out);
});

test('DeriveTreeSecret is ExpandWithLabel with the generation as its context', async () => {
  const { secret, label, generation, length, out } = mls.derive_tree_secret;
  const context = new Uint8Array(4);
  new DataView(context.buffer).setUint32(0, generation);
  assert.equal(toHex(await expandWithLabel(await hmacKey(hex(secret)), label, context, length, mlsPrefix)), out);
});

test('SignWithLabel verifies as RFC 9420\'s, and only so', async () => {
  const { pub, label, content, signature } = mls.sign_with_label;
  assert.equal(await verify(hex(pub), label, hex(content), hex(signature), mlsPrefix), true);
  assert.equal(await verify(hex(pub), label, hex(content), hex(signature)), false);
  assert.equal(await verify(hex(pub), `${label}s`, hex(content), hex(signature), mlsPrefix), false);
  for (const { flipped } of flips(hex(signature))) assert.equal(await verify(hex(pub), label, hex(content), flipped, mlsPrefix), false);
  assert.equal(await verify(hex(pub).subarray(1), label, hex(content), hex(signature), mlsPrefix), false);
  assert.equal(await verify(hex(pub), label, hex(content), hex(signature).subarray(1), mlsPrefix), false);
});

// The numbers go up to 2^64 - 1, which JSON.parse would round.
const headers = [...text('sframe/test-vectors.json').matchAll(/"kid":\s*(\d+),\s*"ctr":\s*(\d+),\s*"encoded":\s*"([0-9a-f]+)"/g)];

test('SFrame headers are RFC 9605\'s, all 289', () => {
  assert.equal(headers.length, 289);
  for (const [, kid, counter, encoded] of headers) {
    assert.equal(toHex(encodeHeader(BigInt(kid), BigInt(counter))), encoded);
    assert.deepEqual(decodeHeader(concat(hex(encoded), hex('ff00'))), { kid: BigInt(kid), counter: BigInt(counter), length: encoded.length / 2 });
    for (let length = 0; length < encoded.length / 2; length += 1) assert.throws(() => decodeHeader(hex(encoded).subarray(0, length)), isCode('malformed'));
  }
});

test('an SFrame header that is longer than it needs is refused', () => {
  for (const header of ['8000', '0807', '980007', '090007', '99000100ff']) assert.throws(() => decodeHeader(concat(hex(header), new Uint8Array(20))), isCode('malformed'), header);
});

test('SFrame with suite 4 derives, seals and opens as RFC 9605', async () => {
  const vector = JSON.parse(text('sframe/test-vectors.json')).sframe.find((/** @type {any} */ each) => each.cipher_suite === 4);
  const [baseKey, metadata, plaintext] = [hex(vector.base_key), hex(vector.metadata), hex(vector.pt)];
  const kid = BigInt(vector.kid);
  const derived = await deriveKeyAndSalt(baseKey, kid);
  assert.equal(toHex(derived.key), vector.sframe_key);
  assert.equal(toHex(derived.salt), vector.sframe_salt);
  assert.equal(toHex(nonce(derived.salt, BigInt(vector.ctr))), vector.nonce);
  const header = encodeHeader(kid, vector.ctr);
  assert.equal(toHex(concat(header, metadata)), vector.aad);

  const sealed = await (await SFrameKey.derive(baseKey, kid, 'encrypt')).seal(vector.ctr, header, metadata, plaintext);
  assert.equal(toHex(sealed), vector.ct);
  const opening = await SFrameKey.derive(baseKey, kid, 'decrypt');
  assert.deepEqual(await opening.open(vector.ctr, header, metadata, sealed.subarray(header.length)), plaintext);
  await assert.rejects(opening.open(vector.ctr + 1, header, metadata, sealed.subarray(header.length)), isCode('tampered'));
});

for (const vector of JSON.parse(text('rfc8188/rfc8188-examples.json'))) {
  test(`${vector.name} derives, seals and opens`, async () => {
    const [ikm, body] = [decode(vector.key), decode(vector.body)];
    const header = rfc8188.decodeHeader(body);
    assert.deepEqual({ ...header, salt: new Uint8Array(header.salt), keyId: new TextDecoder().decode(header.keyId) },
      { salt: decode(vector.salt), recordSize: vector.rs, keyId: vector.keyid, length: 21 + vector.keyid.length });
    assert.deepEqual(rfc8188.encodeHeader(header), body.slice(0, header.length));
    const derived = await rfc8188.deriveKeyAndNonce(ikm, header.salt);
    assert.deepEqual(derived, { key: decode(vector.cek), nonce: decode(vector.nonce) });

    const cipher = await rfc8188.RecordCipher.create(ikm, header.salt);
    const records = Array.from({ length: vector.padding_per_record.length }, (_, number) => body.subarray(header.length + number * vector.rs, header.length + (number + 1) * vector.rs));
    let plaintext = '';
    for (const [number, sealed] of records.entries()) {
      const content = await cipher.open(number, sealed);
      assert.deepEqual(await cipher.seal(number, content), new Uint8Array(sealed));
      const length = content.length - 1 - vector.padding_per_record[number];
      assert.equal(content[length], number === records.length - 1 ? rfc8188.delimiters.last : rfc8188.delimiters.more);
      plaintext += new TextDecoder().decode(content.subarray(0, length));
    }
    assert.equal(plaintext, vector.plaintext_utf8);
  });
}
