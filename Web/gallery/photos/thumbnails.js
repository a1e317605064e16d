// Makes thumbnails in a few workers, or on the page where an engine has no canvas for workers.

import { ownScript } from '../own-scripts.js';
import { formats } from './formats.js';
import { drawRemains, drawThumbnail } from './thumbnail-drawing.js';
import { preparationConcurrency } from './limits.js';

/** @typedef {import('./thumbnail-drawing.js').DrawingOrder} DrawingOrder */

export class ThumbnailMaker {
  /** @type {Worker[]} */
  #workers = [];
  #number = 0;
  /** @type {Map<number, { resolve: (blob: Blob | Promise<Blob>) => void, reject: (error: Error) => void, again: () => Promise<Blob> }>} */
  #waiting = new Map();

  constructor() {
    if (typeof OffscreenCanvas === 'undefined' || typeof Worker === 'undefined') return;
    // At once and not when they are needed: the network may be away by then.
    for (let count = 0; count < preparationConcurrency; count += 1) this.#workers.push(this.#start());
  }

  /**
   * @param {Blob} blob
   * @param {DrawingOrder} order
   * @returns {Promise<Blob>} rejects when the engine cannot decode the photo
   */
  async make(blob, order) {
    try {
      return await this.#draw(blob, order);
    } catch (error) {
      if (!formats[order.format].isAlwaysShown) throw error;
      return drawRemains(blob, order);
    }
  }

  /** @param {Blob} blob @param {DrawingOrder} order @returns {Promise<Blob>} */
  #draw(blob, order) {
    this.#number += 1;
    const number = this.#number;
    const worker = this.#workers[number % this.#workers.length];
    const again = () => this.#makeHere(blob, order);
    if (!worker) return again();
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject, again });
      worker.postMessage({ number, blob, order });
    });
  }

  /** @param {Blob} blob @param {DrawingOrder} order */
  #makeHere(blob, order) {
    return drawThumbnail(blob, order, (width, height) => Object.assign(document.createElement('canvas'), { width, height }));
  }

  #start() {
    const worker = new Worker(ownScript(new URL('./thumbnail-worker.js', import.meta.url)), { type: 'module' });
    worker.addEventListener('message', (event) => {
      const { number, thumbnail, failure } = event.data;
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (failure === undefined) waiting?.resolve(thumbnail);
      else waiting?.reject(new Error(failure));
    });
    // That a worker could not be loaded says nothing about a photo: the page does its work.
    worker.addEventListener('error', () => {
      this.#workers = this.#workers.filter((other) => other !== worker);
      for (const waiting of this.#waiting.values()) waiting.resolve(waiting.again());
      this.#waiting.clear();
    });
    return worker;
  }
}
