// Gives this tab a name that a reload keeps and no other tab has, so that what tabs keep is never mixed.

const tabKey = 'hearth.tab';
const lockWaitMilliseconds = 1_000;
const namePrefix = 'hearth.kept.';

/**
 * Held for as long as the page lives: a copy of a tab brings a copy of its storage along, and finds the name taken.
 * @returns {Promise<string | null>} the name of this tab's database, or null where the browser gives no storage or no locks
 */
export async function takeTabName() {
  try {
    const kept = sessionStorage.getItem(tabKey);
    if (kept !== null && (await hold(kept))) return kept;
    const name = namePrefix + [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    sessionStorage.setItem(tabKey, name);
    return (await hold(name)) ? name : null;
  } catch {
    return null;
  }
}

/** @returns {Promise<string[]>} databases of tabs that are gone */
export async function namesOfGoneTabs() {
  const [databases, locks] = await Promise.all([indexedDB.databases(), navigator.locks.query()]);
  const held = new Set([...(locks.held ?? []), ...(locks.pending ?? [])].map(({ name }) => name));
  return databases.map(({ name }) => name ?? '').filter((name) => name.startsWith(namePrefix) && !held.has(name));
}

/** A page that was just reloaded may hold its lock a moment longer. @param {string} name @returns {Promise<boolean>} */
function hold(name) {
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(lockWaitMilliseconds) }, () => {
        resolve(true);
        return new Promise(() => {});
      })
      .catch(() => resolve(false));
  });
}
