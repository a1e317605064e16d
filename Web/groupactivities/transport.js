// The only file that names WebSocket and fetch: connections to the relay and its attachment routes, with nothing decided here.

import { encode } from './base64url.js';

/** @typedef {(input: string, init?: RequestInit) => Promise<Response>} Fetch */
/** What carries: the browser's own, or a test's. @typedef {{ readonly WebSocket: typeof globalThis.WebSocket, fetch: Fetch }} Network */
/** @typedef {{ onOpen(): void, onMessage(bytes: Uint8Array): void, onClose(code: number): void }} ConnectionListener */

/** The browser's own. @type {Network} */
export const browserNetwork = {
  get WebSocket() {
    return globalThis.WebSocket;
  },
  fetch: (input, init) => globalThis.fetch(input, init),
};

/** One WebSocket. Its listener hears `onClose` once, and nothing after that; after `drop` it hears nothing at all. */
export class RelayConnection {
  #socket;
  /** @type {ConnectionListener | null} */
  #listener;

  /**
   * @param {{ origin: string, conversationId: string, network: Network }} options
   * @param {ConnectionListener} listener
   */
  constructor({ origin, conversationId, network }, listener) {
    this.#listener = listener;
    const socket = new network.WebSocket(`${origin.replace(/^http/, 'ws')}/v1/conversations/${conversationId}`, 'hearth.v1');
    socket.binaryType = 'arraybuffer';
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.#listener?.onOpen();
    };
    // One that could not be opened is always closed too, but not every implementation says so; the code of one that was open comes with `close` alone.
    socket.onerror = () => {
      if (!wasOpen) this.#end(1006);
    };
    // A text message is none of the protocol's: no frame can be read from it.
    socket.onmessage = ({ data }) => this.#listener?.onMessage(data instanceof ArrayBuffer ? new Uint8Array(data) : Uint8Array.of(0));
    socket.onclose = ({ code }) => this.#end(code);
    this.#socket = socket;
  }

  /** @param {number} code */
  #end(code) {
    const listener = this.#listener;
    this.#listener = null;
    listener?.onClose(code);
  }

  /** Bytes that the browser has not yet given to the network. */
  get waitingBytes() {
    return this.#socket.bufferedAmount;
  }

  /** Silently lost when the connection is not open: what matters is sent again on the next one. @param {Uint8Array<ArrayBuffer>} bytes */
  send(bytes) {
    if (this.#listener && this.#socket.readyState === 1) this.#socket.send(bytes);
  }

  drop() {
    this.#listener = null;
    this.#socket.close();
  }
}

/** Addresses of one conversation's attachments; every request shows the relay token. */
export class AttachmentRoutes {
  #base;
  #headers;
  #network;

  /** @param {{ origin: string, conversationId: string, relayToken: Uint8Array, network: Network }} options */
  constructor({ origin, conversationId, relayToken, network }) {
    this.#base = `${origin}/v1/conversations/${conversationId}`;
    this.#headers = { Authorization: `Bearer ${encode(relayToken)}` };
    this.#network = network;
  }

  /**
   * @param {string} session
   * @param {string} attachment
   * @param {number} part
   * @param {Blob} body a Blob: bytes as a body cost browsers ten times as much
   * @param {AbortSignal} signal
   */
  putPart(session, attachment, part, body, signal) {
    return this.#request(`${this.#path(session, attachment)}/parts/${part}`, { method: 'PUT', body, signal });
  }

  /**
   * @param {string} session
   * @param {string} attachment
   * @param {number} part
   * @param {AbortSignal} signal
   */
  getPart(session, attachment, part, signal) {
    return this.#request(`${this.#path(session, attachment)}/parts/${part}`, { signal });
  }

  /**
   * @param {string} session
   * @param {string} attachment
   * @param {AbortSignal} signal
   */
  getStatus(session, attachment, signal) {
    return this.#request(this.#path(session, attachment), { signal });
  }

  /** @param {string} session @param {string} attachment */
  #path(session, attachment) {
    return `${this.#base}/sessions/${session}/attachments/${attachment}`;
  }

  /** @param {string} url @param {RequestInit} init */
  #request(url, init) {
    return this.#network.fetch(url, { ...init, headers: this.#headers, cache: 'no-store', credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
  }
}
