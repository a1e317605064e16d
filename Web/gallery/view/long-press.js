// A finger that rests is a wish for the menu; engines do not agree on saying so themselves.

import { longPressMilliseconds } from '../photos/limits.js';

const driftLimitPixels = 10;

/**
 * @param {HTMLElement} element
 * @param {(target: EventTarget | null, at: { x: number, y: number }) => void} pressed
 */
export function onLongPress(element, pressed) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let start = { x: 0, y: 0 };
  let isPressed = false;
  const cancel = () => clearTimeout(timer);

  element.addEventListener('pointerdown', (event) => {
    isPressed = false;
    if (event.pointerType === 'mouse' || !event.isPrimary) return;
    start = { x: event.clientX, y: event.clientY };
    const { target } = event;
    cancel();
    timer = setTimeout(() => {
      isPressed = true;
      pressed(target, start);
    }, longPressMilliseconds);
  });
  element.addEventListener('pointermove', (event) => {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > driftLimitPixels) cancel();
  });
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) element.addEventListener(name, cancel);
  // Lifting the finger would else count as a tap, on the photo or on what the menu has put under it.
  document.addEventListener('click', (event) => {
    if (!isPressed) return;
    isPressed = false;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true });
  document.addEventListener('pointerdown', () => {
    isPressed = false;
  }, { capture: true });
}
