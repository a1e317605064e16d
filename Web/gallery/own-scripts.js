// Names the few scripts that the page starts by address; with Trusted Types nothing else can be started.

const startable = new Set(['/service-worker.js', '/gallery/photos/thumbnail-worker.js']);

/** @typedef {{ createScriptURL: (url: string) => string | URL }} ScriptPolicy */
/** @typedef {{ createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy }} PolicyFactory */

/** @param {string} url */
function checked(url) {
  const { origin, pathname } = new URL(url, location.href);
  if (origin !== location.origin || !startable.has(pathname)) throw new TypeError(`${pathname} is not a script of this page`);
  return url;
}

const factory = /** @type {{ trustedTypes?: PolicyFactory }} */ (/** @type {unknown} */ (globalThis)).trustedTypes;
const policy = factory?.createPolicy('hearth', { createScriptURL: checked });

/**
 * @param {string | URL} url
 * @returns {string | URL} what `Worker` and `register` take; throws for any other script
 */
export function ownScript(url) {
  return policy?.createScriptURL(String(url)) ?? checked(String(url));
}
