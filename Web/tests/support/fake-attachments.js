// The HTTP half of the relay in memory.

const partSizeBytes = 1_048_576;

export class AttachmentStore {
  /** Sealed parts by "conversation/session/attachment". @type {Map<string, Map<number, Uint8Array<ArrayBuffer>>>} */
  bodies = new Map();
  /** Every request that came, as "METHOD part" (or "GET status"). @type {string[]} */
  requests = [];
  /** Answers instead of the relay. @type {(request: { method: string, part: number | null, id: string, signal?: AbortSignal | null }) => Response | 'hang' | Error | null} */
  intercept = () => null;
  #atOnce = { PUT: 0, GET: 0 };
  /** Parts that were under way at once, each way. */
  mostAtOnce = { PUT: 0, GET: 0 };
  /** How long a part takes on the line to the relay, or from it, when it is alone on it. */
  partMilliseconds = 0;
  /** Whoever waits for a part, or hangs. @type {Set<{ look(): void, fail(): void }>} */
  #waiting = new Set();

  /** @param {import('./fake-relay.js').FakeRelay} relay */
  constructor(relay) {
    this.relay = relay;
  }

  /** @param {string} conversation @param {string} session @param {string} attachment */
  #key(conversation, session, attachment) {
    return `${conversation}/${session}/${attachment}`;
  }

  /** @param {string} conversation @param {string} session @param {string} attachment @param {number} bodyLength */
  missing(conversation, session, attachment, bodyLength) {
    const held = this.bodies.get(this.#key(conversation, session, attachment));
    return Array.from({ length: Math.ceil(bodyLength / partSizeBytes) }, (_, part) => part).filter((part) => !held?.has(part));
  }

  /** @param {string} conversation @param {string} session @param {string} attachment */
  erase(conversation, session, attachment) {
    this.bodies.delete(this.#key(conversation, session, attachment));
    for (const waiting of [...this.#waiting]) waiting.look();
  }

  /** Every request under way breaks. */
  cut() {
    for (const waiting of [...this.#waiting]) waiting.fail();
  }

  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  async answer(url, init) {
    const method = init.method === 'PUT' ? 'PUT' : 'GET';
    if (!url.includes('/parts/')) return this.#answer(url, init);
    this.#atOnce[method] += 1;
    this.mostAtOnce[method] = Math.max(this.mostAtOnce[method], this.#atOnce[method]);
    try {
      if (this.partMilliseconds > 0) await new Promise((resolve) => this.relay.clock.setTimeout(() => resolve(undefined), this.partMilliseconds * this.#atOnce[method]));
      return await this.#answer(url, init);
    } finally {
      this.#atOnce[method] -= 1;
    }
  }

  /** @param {string} url @param {RequestInit} init @returns {Promise<Response>} */
  async #answer(url, { method = 'GET', body, signal }) {
    const match = /conversations\/([^/]+)\/sessions\/([^/]+)\/attachments\/([^/]+)(?:\/parts\/(\d+))?$/.exec(url);
    if (!match) throw new Error(url);
    const [, conversationId, sessionId, id, digits] = match;
    const part = digits === undefined ? null : Number(digits);
    this.requests.push(part === null ? `${method} status` : `${method} ${part}`);
    await this.#pass(signal ?? undefined);
    const intercepted = this.intercept({ method, part, id, signal });
    if (intercepted === 'hang') await this.#hold(() => false, Infinity, signal ?? undefined);
    if (intercepted instanceof Error) throw intercepted;
    if (intercepted instanceof Response) return intercepted;
    const entry = () => this.relay.conversations.get(conversationId)?.sessions.get(sessionId)?.entries.get(id)?.frame;
    if (!entry()) return relayAnswer(404);
    const key = this.#key(conversationId, sessionId, id);
    const held = this.bodies.get(key) ?? new Map();
    this.bodies.set(key, held);
    if (part === null) {
      const missing = this.missing(conversationId, sessionId, id, entry().bodyLength);
      return relayAnswer(200, JSON.stringify({ bodyLength: entry().bodyLength, partCount: Math.ceil(entry().bodyLength / partSizeBytes), missing }));
    }
    if (method === 'PUT') return this.#put(held, part, /** @type {Blob} */ (body), entry().bodyLength);
    const isThere = await this.#hold(() => held.has(part) || !entry(), 20_000, signal ?? undefined);
    if (!entry()) return relayAnswer(404);
    return isThere ? relayAnswer(200, held.get(part)) : relayAnswer(503);
  }

  /** @param {Map<number, Uint8Array<ArrayBuffer>>} held @param {number} part @param {Blob} body @param {number} bodyLength */
  async #put(held, part, body, bodyLength) {
    if (body.size !== Math.min(partSizeBytes, bodyLength - part * partSizeBytes)) return relayAnswer(400);
    if (held.has(part)) return relayAnswer(200);
    held.set(part, new Uint8Array(await body.arrayBuffer()));
    for (const waiting of [...this.#waiting]) waiting.look();
    return relayAnswer(201);
  }

  /** The way to the relay takes time, and may lead nowhere. @param {AbortSignal | undefined} signal */
  async #pass(signal) {
    await this.#hold(() => false, this.relay.latencyMilliseconds, signal);
    if (this.relay.isDown) throw new TypeError('fetch failed');
  }

  /** @param {() => boolean} isReady @param {number} milliseconds @param {AbortSignal | undefined} signal @returns {Promise<boolean>} */
  #hold(isReady, milliseconds, signal) {
    if (isReady()) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const { clock } = this.relay;
      const end = (/** @type {() => void} */ settle) => {
        clock.clearTimeout(timer);
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const abort = () => end(() => reject(signal?.reason));
      const waiting = { look: () => { if (isReady()) end(() => resolve(true)); }, fail: () => end(() => reject(new TypeError('fetch failed'))) };
      const timer = milliseconds === Infinity ? 0 : clock.setTimeout(() => end(() => resolve(false)), milliseconds);
      this.#waiting.add(waiting);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }
}

/** @param {number} status @param {BodyInit | null} [body] */
export function relayAnswer(status, body = null) {
  return new Response(body, { status, headers: { Hearth: '1' } });
}
