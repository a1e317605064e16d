// What went wrong, as the page keeps and tells it: a fixed word, the figures that go with it, and for what nobody expected the engine's own words, short.

/** @typedef {{ code: string, limit?: number, value?: number, detail?: string }} Cause `detail`: for what is `unexpected`, a line that a person can pass on */

const detailLimit = 160;

/** @param {unknown} error @returns {string} the fixed word of a `HearthError`, or a word for everything else */
export function errorCode(error) {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : 'unexpected';
}

/** @param {unknown} error @returns {Cause} */
export function causeOf(error) {
  const code = errorCode(error);
  const { limit, value } = /** @type {{ limit?: number, value?: number }} */ (error ?? {});
  return code === 'unexpected' ? { code, limit, value, detail: detailOf(error) } : { code, limit, value };
}

/** @param {unknown} error @returns {string} `OperationError: The operation failed (identity.js:50)` */
function detailOf(error) {
  const { name = '', message = String(error), stack = '' } = /** @type {{ name?: string, message?: string, stack?: string }} */ (error ?? {});
  const place = /[\w.-]+\.js:\d+/.exec(String(stack))?.[0];
  // An address may be the invitation, and that is nobody's to pass on.
  const words = [name, message].filter((part) => part !== '').join(': ').replace(/\w+:\/\/\S+/g, '…').replace(/\s+/g, ' ').slice(0, detailLimit);
  return place === undefined ? words : `${words} (${place})`;
}
