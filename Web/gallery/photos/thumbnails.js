// Makes thumbnails in a few workers, or on the page where an engine has no canvas for workers.

import { drawThumbnail } from './thumbnail-drawing.js';
import { preparationConcurrency } from './limits.js';

/** @typedef {import('./thumbnail-drawing.js').DrawingOrder} DrawingOrder */

export class ThumbnailMaker {
  /** @type {Worker[]} */
  #workers = [];
  #number = 0;
  /** @type {Map<number, { resolve: (blob: Blob) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();

  /**
   * @param {Blob} blob
   * @param {DrawingOrder} order
   * @returns {Promise<Blob>} rejects when the engine cannot decode the photo
   */
  make(blob, order) {
    if (typeof OffscreenCanvas === 'undefined' || typeof Worker === 'undefined') return this.#makeHere(blob, order);
    this.#number += 1;
    const number = this.#number;
    const { promise, resolve, reject } = withResolvers();
    this.#waiting.set(number, { resolve, reject });
    this.#worker(number % preparationConcurrency).postMessage({ number, blob, order });
    return promise;
  }

  /** @param {Blob} blob @param {DrawingOrder} order */
  #makeHere(blob, order) {
    return drawThumbnail(blob, order, (width, height) => Object.assign(document.createElement('canvas'), { width, height }));
  }

  /** @param {number} index */
  #worker(index) {
    const present = this.#workers[index];
    if (present) return present;
    const worker = new Worker(new URL('./thumbnail-worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (event) => {
      const { number, thumbnail, failure } = event.data;
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (failure === undefined) waiting?.resolve(thumbnail);
      else waiting?.reject(new Error(failure));
    });
    worker.addEventListener('error', () => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error('the worker failed'));
      this.#waiting.clear();
    });
    this.#workers[index] = worker;
    return worker;
  }
}

/** @returns {{ promise: Promise<Blob>, resolve: (blob: Blob) => void, reject: (error: Error) => void }} */
function withResolvers() {
  /** @type {any} */
  const parts = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
}
