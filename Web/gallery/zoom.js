// How large and where a picture stands in the viewer, as a value: what wheel, fingers and keys do to it.

/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ scale: number, x: number, y: number }} Zoom `scale` 1 fits; `x`, `y`: how far the picture's middle is from the stage's, in CSS pixels */
/** @typedef {{ stage: Size, picture: Size, pixels: Size }} Room `picture` as it fits, `pixels` those it has */

/** @type {Readonly<Zoom>} */
export const fitted = Object.freeze({ scale: 1, x: 0, y: 0 });

const leastMost = 4;

/** @param {Room} room @returns {number} the largest scale: so that each pixel can be seen, and never less than four times */
export function mostScale({ picture, pixels }) {
  return picture.width > 0 ? Math.max(leastMost, (2 * pixels.width) / picture.width) : leastMost;
}

/** @param {Room} room @returns {number} what a double tap leads to: a pixel of the picture to a pixel of the page where that is larger, else two and a half times */
export function closeScale({ picture, pixels }) {
  const exact = picture.width > 0 ? pixels.width / picture.width : 1;
  return exact >= 1.5 && exact <= leastMost ? exact : 2.5;
}

/**
 * @param {Zoom} zoom @param {number} scale wanted
 * @param {{ x: number, y: number }} point from the stage's middle; what is under it stays under it
 * @param {Room} room
 * @returns {Zoom}
 */
export function scaledTo(zoom, scale, point, room) {
  const next = Math.min(mostScale(room), Math.max(1, scale));
  const ratio = next / zoom.scale;
  return kept({ scale: next, x: point.x - (point.x - zoom.x) * ratio, y: point.y - (point.y - zoom.y) * ratio }, room);
}

/** @param {Zoom} zoom @param {number} x @param {number} y @param {Room} room @returns {Zoom} */
export function movedBy(zoom, x, y, room) {
  return kept({ ...zoom, x: zoom.x + x, y: zoom.y + y }, room);
}

/** No edge of the picture comes further in than the stage's edge. @param {Zoom} zoom @param {Room} room @returns {Zoom} */
function kept({ scale, x, y }, { stage, picture }) {
  if (scale <= 1.001) return fitted;
  const [across, down] = [Math.max(0, (picture.width * scale - stage.width) / 2), Math.max(0, (picture.height * scale - stage.height) / 2)];
  return { scale, x: Math.min(across, Math.max(-across, x)) + 0, y: Math.min(down, Math.max(-down, y)) + 0 };
}
