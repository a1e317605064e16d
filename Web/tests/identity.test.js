// A participant's key on engines that fail to make one now and then.

import assert from 'node:assert/strict';
import test from 'node:test';

import { randomId } from '../groupactivities/identifiers.js';
import { Identity, verify } from '../groupactivities/identity.js';

const { subtle } = globalThis.crypto;
const generateKey = subtle.generateKey.bind(subtle);

/**
 * Lets the engine fail to make keys while `use` runs.
 * @param {string[]} failures names of errors, one for each attempt; what follows succeeds
 * @param {() => Promise<void>} use
 */
async function failing(failures, use) {
  let attempts = 0;
  Object.defineProperty(subtle, 'generateKey', {
    configurable: true,
    value: async (/** @type {Parameters<SubtleCrypto['generateKey']>} */ ...made) => {
      attempts += 1;
      const name = failures.shift();
      if (name !== undefined) throw new DOMException('for an operation-specific reason', name);
      return generateKey(...made);
    },
  });
  try {
    await use();
  } finally {
    Reflect.deleteProperty(subtle, 'generateKey');
  }
  return attempts;
}

test('a key that the engine could not make is made again', async () => {
  const attempts = await failing(['OperationError', 'OperationError'], async () => {
    const identity = await Identity.create(randomId());
    const bytes = Uint8Array.of(1, 2, 3);
    assert.ok(await verify(identity.publicKey, 'test', bytes, await identity.sign('test', bytes)));
  });
  assert.equal(attempts, 3);
});

test('an engine that can make no key at all is not asked for ever', async () => {
  const attempts = await failing(Array.from({ length: 1_000 }, () => 'OperationError'), () => assert.rejects(Identity.create(randomId()), { name: 'OperationError' }));
  assert.equal(attempts, 16);
});

test('an engine that does not know the algorithm is asked once', async () => {
  const attempts = await failing(['NotSupportedError'], () => assert.rejects(Identity.create(randomId()), { name: 'NotSupportedError' }));
  assert.equal(attempts, 1);
});
