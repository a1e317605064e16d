// Lets the page draw and answer between pieces of long work: WebCrypto may answer at once, and then promises alone never come to an end of the turn.

/** Resolves in a later turn of the event loop, behind what waits already. Unlike a timer it is not slowed down in a page that is hidden. */
export function nextTurn() {
  return /** @type {Promise<void>} */ (new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  }));
}
