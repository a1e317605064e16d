// Tests that parts are fetched once, and that what the device gives back is not insisted on.

import assert from 'node:assert/strict';
import test from 'node:test';
import { KeptParts } from '../gallery/kept/parts.js';

const url = (/** @type {number} */ part) => `https://host/v1/conversations/C/sessions/S/attachments/A/parts/${part}`;

/** @param {Map<string, ArrayBuffer>} [values] */
function storeWith(values = new Map()) {
  return /** @type {any} */ ({
    values,
    get: async (/** @type {string} */ _, /** @type {any} */ key) => values.get(String(key)),
    put: async (/** @type {string} */ _, /** @type {any} */ key, /** @type {ArrayBuffer} */ value) => void values.set(String(key), value),
  });
}

/** A page with what was kept by the one before. @param {any} store @param {{ status?: number, length?: number, isHearth?: boolean }} [answer] */
function page(store, { status = 200, length = 3, isHearth = true } = {}) {
  /** @type {string[]} */
  const asked = [];
  const parts = new KeptParts(async (input) => {
    asked.push(input.slice(-1));
    return new Response(new Uint8Array([1, 2, 3]), { status, headers: { 'Content-Length': String(length), ...(isHearth ? { Hearth: '1' } : {}) } });
  });
  parts.use(store);
  return { parts, asked };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

test('a part that had come is not fetched again by the next page', async () => {
  const store = storeWith();
  await page(store).parts.fetch(url(0));
  await settled();
  const { parts, asked } = page(store);
  const response = await parts.fetch(url(0));
  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([1, 2, 3]));
  assert.equal(response.headers.get('Hearth'), '1');
  assert.deepEqual(asked, []);
});

test('once a part is asked for again the whole attachment comes from the relay', async () => {
  const store = storeWith(new Map([['S,A,0', new ArrayBuffer(3)], ['S,A,1', new ArrayBuffer(3)]]));
  const { parts, asked } = page(store);
  await parts.fetch(url(0));
  await parts.fetch(url(0));
  await parts.fetch(url(1));
  assert.deepEqual(asked, ['0', '1']);
});

test('a part that came changed is not kept to be given to whoever asks again', async () => {
  const store = storeWith();
  const { parts, asked } = page(store);
  await parts.fetch(url(0));
  await settled();
  await parts.fetch(url(0));
  assert.deepEqual(asked, ['0', '0']);
});

test('an answer that is no part, or not a whole one, is not kept', async () => {
  for (const answer of [{ status: 503 }, { length: 4 }, { isHearth: false }]) {
    const store = storeWith();
    await page(store, answer).parts.fetch(url(0));
    await settled();
    assert.equal(store.values.size, 0);
  }
});

test('uploads and other requests pass by', async () => {
  const store = storeWith(new Map([['S,A,0', new ArrayBuffer(3)]]));
  const { parts, asked } = page(store);
  await parts.fetch(url(0), { method: 'PUT' });
  await parts.fetch('https://host/v1/conversations/C/sessions/S/attachments/A');
  assert.equal(asked.length, 2);
});

test('once one has left nothing is kept or given', async () => {
  const store = storeWith(new Map([['S,A,0', new ArrayBuffer(3)]]));
  const { parts, asked } = page(store);
  parts.use(null);
  await parts.fetch(url(0));
  await settled();
  assert.deepEqual(asked, ['0']);
  assert.equal(store.values.size, 1);
});
