// What makes the page an app that can be installed: its service worker, and the photos that come from the system's share sheet.

import { ownScript } from './own-scripts.js';

const answerMilliseconds = 10_000;

/** A page without a network still opens, and asks nobody. Does nothing where the browser has no service workers, or the page no encryption. */
export async function beInstallable() {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined || !globalThis.isSecureContext) return;
  try {
    // The policy for scripts takes the place of the address; the types do not know of it yet.
    await serviceWorker.register(/** @type {string} */ (ownScript('/service-worker.js')), { updateViaCache: 'none' });
    // What came with this page is kept once the page has come as a whole, and not in its way.
    serviceWorker.controller?.postMessage('loaded');
  } catch {
    // Private windows and strict settings forbid it; the page works without.
  }
}

/** Whether this page was opened by sharing photos to it; its address tells nobody so any more. */
export function takeShareMark() {
  const url = new URL(location.href);
  if (!url.searchParams.has('shared')) return false;
  history.replaceState(null, '', url.pathname);
  return true;
}

/** @returns {Promise<File[]>} those that were shared to this page */
export function sharedPhotos() {
  const { serviceWorker } = navigator;
  return new Promise((resolve) => {
    if (!serviceWorker?.controller) {
      resolve([]);
      return;
    }
    const listen = (/** @type {MessageEvent} */ event) => {
      if (event.data?.kind !== 'shared-photos') return;
      serviceWorker.removeEventListener('message', listen);
      resolve(event.data.files);
    };
    serviceWorker.addEventListener('message', listen);
    serviceWorker.startMessages();
    serviceWorker.controller.postMessage('shared-photos');
    setTimeout(() => resolve([]), answerMilliseconds);
  });
}
