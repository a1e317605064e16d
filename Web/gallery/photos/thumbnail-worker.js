// Keeps decoding away from the page: a photo from a phone takes a tenth of a second, which a finger would feel.

import { drawThumbnail } from './thumbnail-drawing.js';

/** @typedef {{ addEventListener(type: 'message', listener: (event: MessageEvent) => void): void, postMessage(message: unknown): void }} WorkerScope */
const scope = /** @type {WorkerScope} */ (/** @type {unknown} */ (globalThis));

scope.addEventListener('message', async (event) => {
  const { number, blob, order } = event.data;
  try {
    const thumbnail = await drawThumbnail(blob, order, (width, height) => new OffscreenCanvas(width, height));
    scope.postMessage({ number, thumbnail });
  } catch (error) {
    scope.postMessage({ number, failure: String(error) });
  }
});
