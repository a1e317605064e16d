// Pages of Chromium as participants, each in a browser of its own that can be killed: serves them the client and the performer, hands orders out and takes in what they tell.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

import { Browser } from './browser.mjs';

/** @typedef {import('./performer.mjs').Order} Order */
/** @typedef {import('./performer.mjs').Told} Told */
/** @typedef {{ tell: (told: Told) => void, orders: import('node:http').ServerResponse | null, waiting: string[], takenCount: number }} Page */

const root = new URL('../../', import.meta.url).pathname;
const types = new Map([['.js', 'text/javascript'], ['.mjs', 'text/javascript'], ['.json', 'application/json']]);
const html = '<!doctype html><meta charset="utf-8"><title>Crash</title><link rel="icon" href="data:,"><script type="module" src="/Tests/crash/page.mjs"></script>';

export class Pages {
  /** @type {Map<string, Page>} */
  #pages = new Map();
  #server = createServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()));
  #lastPage = 0;

  async start() {
    // A page must never send what it tells into a connection that is just being closed for its idleness.
    this.#server.keepAliveTimeout = 0;
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
  }

  get origin() {
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port}`;
  }

  /** @param {(told: Told) => void} tell @param {boolean} losesTabOnly how it is killed: the page alone, or the whole browser @returns {import('./programs.mjs').Program} */
  open(tell, losesTabOnly) {
    this.#lastPage += 1;
    const key = String(this.#lastPage);
    /** @type {Page} */
    const page = { tell, orders: null, waiting: [], takenCount: 0 };
    this.#pages.set(key, page);
    const browser = new Browser(`${this.origin}/Tests/crash/page.html?${key}`, (text) => tell({ event: 'complaint', text }));
    const forget = () => {
      this.#pages.delete(key);
      page.orders?.destroy();
    };
    return {
      order: (order) => this.#order(page, JSON.stringify(order)),
      kill: async () => {
        if (losesTabOnly) browser.killTab();
        else await browser.kill();
        forget();
      },
      end: async () => {
        forget();
        await browser.kill();
      },
    };
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** @param {Page} page @param {string} order */
  #order(page, order) {
    if (page.orders) page.orders.write(`data: ${order}\n\n`);
    else page.waiting.push(order);
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #answer(request, response) {
    const { pathname, search } = new URL(request.url ?? '/', this.origin);
    const page = this.#pages.get(search.slice(1));
    if (pathname.endsWith('/orders') && page) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      page.orders = response;
      for (const order of page.waiting.splice(0)) this.#order(page, order);
    } else if (pathname.endsWith('/told') && request.method === 'POST') {
      await this.#take(request, page);
      response.writeHead(204).end();
    } else if (pathname.endsWith('/page.html')) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(html);
    } else {
      await this.#serve(pathname, response);
    }
  }

  /** @param {import('node:http').IncomingMessage} request @param {Page | undefined} page */
  async #take(request, page) {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const { number, told } = JSON.parse(text);
    if (!page || number <= page.takenCount) return;
    page.takenCount = number;
    for (const each of told) page.tell(each);
  }

  /** @param {string} pathname @param {import('node:http').ServerResponse} response */
  async #serve(pathname, response) {
    try {
      const bytes = await readFile(join(root, normalize(pathname)));
      response.writeHead(200, { 'Content-Type': types.get(extname(pathname)) ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  }
}
