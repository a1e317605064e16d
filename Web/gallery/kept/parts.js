// Keeps the parts of the others' originals as the relay gave them, still sealed, so that a reload does not fetch them again.

/** @typedef {import('./store.js').Store} Store */
/** @typedef {(input: string, init?: RequestInit) => Promise<Response>} Fetch */

/** Of all that one tab keeps; beyond it parts are fetched again after a reload. */
const keptLimitBytes = 1_000_000_000;
const partPath = /\/sessions\/([\w-]+)\/attachments\/([\w-]+)\/parts\/(\d+)$/;

// The library opens what comes from here and compares it with its hashes, as it does with what comes from the relay: the device is not trusted.
export class KeptParts {
  /** @type {Store | null} */
  #store = null;
  #keptBytes = 0;
  /** Given whole in this page's life, from here or from the relay. @type {Set<string>} */
  #given = new Set();
  /** Attachments of which a part was asked for again: whoever did was not content, and gets all of it from the relay. @type {Set<string>} */
  #distrusted = new Set();

  /** @param {Fetch} fetch the browser's */
  constructor(fetch) {
    this.fetchAnew = fetch;
  }

  /** Until then everything is fetched, and nothing kept. @param {Store | null} store null: from now on nothing is */
  use(store) {
    this.#store = store;
    this.#keptBytes = 0;
  }

  /** In place of the browser's `fetch`. @type {Fetch} */
  fetch = async (input, init) => {
    const store = this.#store;
    const key = (init?.method ?? 'GET') === 'GET' ? keyOf(input) : null;
    if (store === null || key === null) return this.fetchAnew(input, init);
    const [, attachment] = key;
    const word = key.join(' ');
    if (this.#given.has(word)) this.#distrusted.add(attachment);
    if (!this.#distrusted.has(attachment)) {
      const kept = await store.get('parts', key).catch(() => undefined);
      if (kept !== undefined) {
        this.#given.add(word);
        return new Response(kept, { headers: { Hearth: '1' } });
      }
    }
    const response = await this.fetchAnew(input, init);
    if (response.status === 200 && response.headers.get('Hearth') === '1') void this.#keep(store, key, response.clone());
    return response;
  };

  /** Keeps of the attachments only those that are named. @param {ReadonlySet<string>} attachmentIds */
  async keepOnly(attachmentIds) {
    const store = this.#store;
    if (store === null) return;
    for (const key of await store.keys('parts')) {
      if (Array.isArray(key) && !attachmentIds.has(String(key[1]))) await store.delete('parts', key);
    }
  }

  /** @param {Store} store @param {[string, string, number]} key @param {Response} response */
  async #keep(store, key, response) {
    try {
      const bytes = await response.arrayBuffer();
      const isWhole = bytes.byteLength === Number(response.headers.get('Content-Length'));
      if (!isWhole || this.#keptBytes + bytes.byteLength > keptLimitBytes || store !== this.#store) return;
      this.#keptBytes += bytes.byteLength;
      this.#given.add(key.join(' '));
      await store.put('parts', key, bytes);
    } catch {
      // Cut off, or the device is full: it is fetched again when it is needed.
    }
  }
}

/** @param {string} url @returns {[string, string, number] | null} */
function keyOf(url) {
  const [, session, attachment, part] = partPath.exec(url) ?? [];
  return session === undefined || attachment === undefined ? null : [session, attachment, Number(part)];
}
