// Keeps the page's own files so that the gallery opens without a network, and takes in photos from the system's share sheet.
//
// The network comes first, always: after an upgrade nobody sees an old page. What it answered is kept as a whole, under a name that follows from
// the content of every file, and takes the place of what was kept before at once, so that a page without a network never is of two versions.
// Nothing but the page's files is kept: no photo, no link, no answer of the relay.

/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} LongEvent */
/** @typedef {LongEvent & { request: Request, clientId: string, resultingClientId: string, respondWith: (response: Promise<Response>) => void }} AskedEvent */
/** @typedef {LongEvent & { data: unknown, source: { postMessage: (message: unknown) => void } | null }} ToldEvent */
/**
 * @typedef {object} WorkerScope what of a service worker's world is used here
 * @property {() => void} skipWaiting
 * @property {{ claim: () => Promise<void> }} clients
 * @property {Location} location
 * @property {((type: 'install' | 'activate', act: (event: LongEvent) => void) => void) & ((type: 'message', act: (event: ToldEvent) => void) => void) & ((type: 'fetch', act: (event: AskedEvent) => void) => void)} addEventListener
 */
const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (globalThis));

const cachePrefix = 'hearth-shell-';
const pageLimitFiles = 400;
const networkPatienceMilliseconds = 8_000;
const sharePatienceMilliseconds = 60_000;

/** Answers of the network to the page that is loading now, by path. @type {Map<string, Response>} */
const fresh = new Map();
/** Pages that were opened from what is kept, and so go on with it. @type {Set<string>} */
const offlinePages = new Set();
/** Photos from the share sheet, until the page that was opened for them fetches them. @type {{ files: File[], taken: () => void } | null} */
let shared = null;

scope.addEventListener('install', (event) => {
  scope.skipWaiting();
  event.waitUntil(keepAll());
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(scope.clients.claim());
});

scope.addEventListener('message', (event) => {
  if (event.data === 'loaded') event.waitUntil(keepAll());
  if (event.data === 'shared-photos') {
    event.source?.postMessage({ kind: 'shared-photos', files: shared?.files ?? [] });
    shared?.taken();
    shared = null;
  }
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== scope.location.origin) return;
  if (request.method === 'POST' && url.pathname === '/share-target') event.respondWith(takeShared(event));
  else if (request.method !== 'GET') return;
  else if (request.mode === 'navigate' && isPage(url.pathname)) event.respondWith(openPage(event));
  else if (isFile(url.pathname)) event.respondWith(fileFor(event, url.pathname));
});

/** @param {string} path */
function isPage(path) {
  return path === '/' || path.startsWith('/c/');
}

/** @param {string} path */
function isFile(path) {
  return /^\/(gallery|groupactivities|vendor|icons)\/.+\.\w+$|^\/favicon\.\w+$/.test(path);
}

/** The path of an invitation is the same page, and is kept nowhere. @param {AskedEvent} event */
async function openPage(event) {
  fresh.clear();
  try {
    const response = await withPatience(fetch(event.request));
    if (response.ok && !response.redirected) fresh.set('/', response.clone());
    return response;
  } catch (error) {
    const kept = await matchKept('/');
    if (!kept) throw error;
    offlinePages.add(event.resultingClientId);
    return kept;
  }
}

/** @param {AskedEvent} event @param {string} path */
async function fileFor(event, path) {
  if (offlinePages.has(event.clientId)) {
    const kept = await matchKept(path);
    if (kept) return kept;
  }
  try {
    const response = await fetch(event.request);
    if (response.ok) fresh.set(path, response.clone());
    return response;
  } catch (error) {
    const kept = await matchKept(path);
    if (!kept) throw error;
    return kept;
  }
}

/** A network that neither answers nor fails is as good as none. @param {Promise<Response>} answer @returns {Promise<Response>} */
function withPatience(answer) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new TypeError('the network does not answer')), networkPatienceMilliseconds);
    answer.then(resolve, reject);
  });
}

/** @param {string} path */
async function matchKept(path) {
  const name = (await caches.keys()).find((key) => key.startsWith(cachePrefix));
  return name === undefined ? undefined : (await caches.open(name)).match(path);
}

/** Goes from the page to everything that it names, and keeps all of it or nothing. */
async function keepAll() {
  /** @type {Map<string, Response>} */
  const found = new Map();
  const waiting = ['/'];
  const marks = [];
  while (waiting.length > 0) {
    const path = waiting.shift() ?? '/';
    if (found.has(path)) continue;
    const response = fresh.get(path)?.clone() ?? (await fetch(path, { cache: 'no-cache' }));
    if (!response.ok || found.size >= pageLimitFiles) return;
    found.set(path, response.clone());
    marks.push(`${path} ${response.headers.get('ETag') ?? (await digestOf(await response.clone().arrayBuffer()))}`);
    const type = response.headers.get('Content-Type') ?? '';
    if (/html|javascript|css|manifest/.test(type)) waiting.push(...filesNamedIn(await response.text(), path, type));
  }
  const name = cachePrefix + (await digestOf(new TextEncoder().encode(marks.sort().join('\n')))).slice(0, 32);
  if (!(await caches.has(name))) {
    const cache = await caches.open(name);
    try {
      await Promise.all([...found].map(([path, response]) => cache.put(path, response)));
    } catch (error) {
      await caches.delete(name);
      throw error;
    }
  }
  for (const other of await caches.keys()) if (other.startsWith(cachePrefix) && other !== name) await caches.delete(other);
  fresh.clear();
}

/** @param {string} text @param {string} path @param {string} type @returns {string[]} paths of files of this page that it names */
function filesNamedIn(text, path, type) {
  const patterns = /html/.test(type)
    ? [/<(?:link|script)\b[^>]*?\b(?:href|src)="([^"#]+)"/g]
    : /javascript/.test(type)
      ? [/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g, /new URL\('([^']+)', import\.meta\.url\)/g]
      : /css/.test(type)
        ? [/url\("?([^")]+)"?\)/g]
        : [/"src":\s*"([^"]+)"/g];
  const base = new URL(path, scope.location.origin);
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => new URL(name, base)))
    .filter(({ origin, pathname }) => origin === base.origin && isFile(pathname))
    .map(({ pathname }) => pathname);
}

/** @param {BufferSource} bytes */
async function digestOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** They stay in memory until the page has them: nothing of them is written to a disk. @param {AskedEvent} event */
async function takeShared(event) {
  const form = await event.request.formData();
  const files = form.getAll('photos').filter((item) => item instanceof File);
  event.waitUntil(new Promise((resolve) => {
    shared = { files, taken: () => resolve(undefined) };
    setTimeout(() => resolve(undefined), sharePatienceMilliseconds);
  }));
  return Response.redirect(new URL('/?shared', scope.location.origin).href, 303);
}
