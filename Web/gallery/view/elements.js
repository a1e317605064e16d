// Finds and makes elements, typed, so that a page and a script that disagree fail at once.

/**
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function find(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new TypeError(`#${id} is not a ${kind.name}`);
  return element;
}

/** @param {string} id */
export const button = (id) => find(id, HTMLButtonElement);

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]> & { data?: Record<string, string> }} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const { data, ...rest } = properties;
  Object.assign(element, rest);
  if (data) Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/** @param {string} name of a symbol in index.html */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** The same sign drawn anew, for what is made by the hundred: each reference to a symbol would cost a tree of its own. @param {string} name of a symbol in index.html */
export function drawnIcon(name) {
  const symbol = find(`icon-${name}`, SVGElement);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('viewBox', symbol.getAttribute('viewBox') ?? '');
  svg.append(...[...symbol.children].map((shape) => shape.cloneNode(true)));
  return svg;
}

/**
 * Closes a dialog by its close button and by a press beside it.
 * @param {HTMLDialogElement} dialog
 */
export function makeClosable(dialog) {
  for (const close of dialog.querySelectorAll('[data-close]')) close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isInside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    if (!isInside) dialog.close();
  });
}

/**
 * Runs `draw` once before the next frame, however often it is asked.
 * @param {() => void} draw
 * @returns {() => void}
 */
export function oncePerFrame(draw) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    // A page in the background gets no frames, but its words must be right when somebody looks, or listens.
    const schedule = document.hidden ? (/** @type {() => void} */ run) => setTimeout(run, 0) : requestAnimationFrame;
    schedule(() => {
      isAsked = false;
      draw();
    });
  };
}
