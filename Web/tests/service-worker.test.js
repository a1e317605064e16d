// What is kept for a page without a network is the whole page and nothing else, of one version, and the network always comes first.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import test from 'node:test';
import vm from 'node:vm';

const web = new URL('../', import.meta.url);
const types = /** @type {Record<string, string>} */ ({ html: 'text/html', js: 'text/javascript', css: 'text/css', webmanifest: 'application/manifest+json' });
const script = await readFile(new URL('service-worker.js', web), 'utf8');
const origin = 'https://hearth.example';

/** A place for the worker to run in: the files of this checkout, a network that can be away, caches in memory. */
async function world() {
  const files = new Map();
  for (const name of await readdir(web, { recursive: true })) {
    if (/^(gallery|groupactivities|vendor|icons)\/.+\.\w+$|^[\w-]+\.\w+$/.test(name)) files.set(name === 'index.html' ? '/' : `/${name}`, await readFile(new URL(name, web)));
  }
  const state = { isAway: false, asked: /** @type {string[]} */ ([]), files };
  /** @type {Map<string, Map<string, Response>>} */
  const stores = new Map();
  const caches = {
    keys: async () => [...stores.keys()],
    has: async (/** @type {string} */ name) => stores.has(name),
    delete: async (/** @type {string} */ name) => stores.delete(name),
    open: async (/** @type {string} */ name) => {
      const store = stores.get(name) ?? new Map();
      stores.set(name, store);
      return { put: async (/** @type {string} */ path, /** @type {Response} */ response) => store.set(path, response), match: async (/** @type {string} */ path) => store.get(path)?.clone() };
    },
  };
  /** @type {Record<string, (event: object) => void>} */
  const listeners = {};
  const scope = vm.createContext({
    caches, crypto, Response, URL, TextEncoder, File, Map, Set, Promise, Uint8Array, console,
    setTimeout: () => 0,
    location: new URL(origin), skipWaiting: () => {}, clients: { claim: async () => {} },
    addEventListener: (/** @type {string} */ type, /** @type {(event: object) => void} */ act) => {
      listeners[type] = act;
    },
    fetch: async (/** @type {string | { url: string }} */ asked) => {
      const path = new URL(typeof asked === 'string' ? asked : asked.url, origin).pathname;
      state.asked.push(path);
      if (state.isAway) throw new TypeError('away');
      const body = files.get(path.startsWith('/c/') ? '/' : path);
      const type = types[path === '/' || path.startsWith('/c/') ? 'html' : (path.split('.').pop() ?? '')] ?? 'application/octet-stream';
      return body === undefined ? new Response('', { status: 404 }) : new Response(body, { headers: { 'Content-Type': type } });
    },
  });
  vm.runInContext(script, scope);
  /** @param {string} type @param {object} [fields] */
  const happen = async (type, fields = {}) => {
    /** @type {Promise<unknown>[]} */
    const works = [];
    /** @type {Promise<Response> | null} */
    let answer = null;
    listeners[type]?.({ waitUntil: (/** @type {Promise<unknown>} */ work) => works.push(work), respondWith: (/** @type {Promise<Response>} */ response) => (answer = response), ...fields });
    if (type !== 'fetch') await Promise.all(works);
    return /** @type {Promise<Response> | null} */ (answer);
  };
  /** @param {string} path @param {object} [fields] */
  const ask = (path, fields = {}) => happen('fetch', { request: { url: origin + path, method: 'GET', mode: 'no-cors', ...fields }, clientId: 'page', resultingClientId: 'page' });
  return { state, stores, happen, ask };
}

test('every module and style of the page is kept, found by what the page names', async () => {
  const { stores, happen, state } = await world();
  await happen('install');
  const kept = [...stores.values()][0];
  assert.ok(kept);
  const wanted = [...state.files.keys()].filter((path) => /^\/(gallery|groupactivities)\/.+\.(js|css)$/.test(path));
  assert.ok(wanted.length > 100);
  // Parts of the library that the gallery does not use are no part of the page.
  const missing = wanted.filter((path) => !kept.has(path));
  const used = [...kept.keys()].filter((path) => path.endsWith('.js'));
  const sources = (await Promise.all(used.map(async (path) => (await kept.get(path)?.clone().text()) ?? ''))).join('\n');
  for (const path of missing) assert.ok(!sources.includes(`/${path.split('/').pop()}'`), path);
  for (const path of ['/', '/gallery/main.js', '/gallery/photos/thumbnail-worker.js', '/gallery/texts/ar.js', '/vendor/qrcode.js', '/icons/icon-192.png', '/gallery/styles/grid.css']) assert.ok(kept.has(path), path);
});

test('the network comes first, for the page and for its files', async () => {
  const { happen, ask, state } = await world();
  await happen('install');
  state.files.set('/', Buffer.from('<p>newer</p>'));
  assert.equal(await (await ask('/', { mode: 'navigate' }))?.text(), '<p>newer</p>');
  state.files.set('/gallery/main.js', Buffer.from('newer'));
  assert.equal(await (await ask('/gallery/main.js'))?.text(), 'newer');
});

test('without a network the page opens, also under an invitation, and all of it is of one version', async () => {
  const { happen, ask, state } = await world();
  await happen('install');
  state.isAway = true;
  assert.match((await (await ask('/c/AAAA', { mode: 'navigate' }))?.text()) ?? '', /<title/);
  state.isAway = false;
  state.files.set('/gallery/main.js', Buffer.from('newer'));
  assert.notEqual(await (await ask('/gallery/main.js'))?.text(), 'newer');
});

test('after an upgrade the old version goes as a whole', async () => {
  const { stores, happen, ask, state } = await world();
  await happen('install');
  const [before] = stores.keys();
  state.files.set('/gallery/main.js', Buffer.from('// newer'));
  await ask('/', { mode: 'navigate' });
  await ask('/gallery/main.js');
  await happen('message', { data: 'loaded' });
  assert.equal(stores.size, 1);
  const [after] = stores.keys();
  assert.notEqual(after, before);
  assert.equal(await [...stores.values()][0]?.get('/gallery/main.js')?.text(), '// newer');
});

test('a version of which a part cannot be had takes the place of none', async () => {
  const { stores, happen, state } = await world();
  await happen('install');
  const [before] = stores.keys();
  state.files.delete('/gallery/model.js');
  state.files.set('/gallery/main.js', Buffer.from("import { Gallery } from './model.js';"));
  await happen('message', { data: 'loaded' });
  assert.deepEqual([...stores.keys()], [before]);
});

test('the relay, other servers and what is no file of the page are left alone', async () => {
  const { ask } = await world();
  for (const path of ['/v1/conversations/AAAA', '/metrics', '/health']) assert.equal(await ask(path), null);
  assert.equal(await ask('/v1/parts', { method: 'PUT' }), null);
  assert.equal(await ask('', { url: 'https://elsewhere.example/gallery/main.js' }), null);
});

test('photos from the share sheet are handed once to the page that opens for them', async () => {
  const { happen, ask } = await world();
  const file = new File(['a'], 'a.jpg');
  const form = new FormData();
  form.append('photos', file);
  form.append('photos', 'no file');
  const asked = ask('/share-target', { method: 'POST', mode: 'navigate', formData: async () => form });
  const answer = await asked;
  assert.equal(answer?.status, 303);
  assert.equal(answer?.headers.get('Location'), `${origin}/?shared`);
  /** @type {{ files: File[] }[]} */
  const told = [];
  const source = { postMessage: (/** @type {{ files: File[] }} */ message) => told.push(message) };
  await happen('message', { data: 'shared-photos', source });
  await happen('message', { data: 'shared-photos', source });
  assert.deepEqual(told.map(({ files }) => Array.from(files, ({ name }) => name)), [['a.jpg'], []]);
});
