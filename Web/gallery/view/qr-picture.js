// Draws a text as a QR code.

import { qrcode } from '../../vendor/qrcode.js';

const quietZoneModules = 2;

/** @param {string} text @returns {SVGSVGElement} */
export function qrPicture(text) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row += 1) {
    // One shape for each run of dark modules: where two shapes meet, a screen may show a hair of light.
    let start = 0;
    for (let column = 0; column <= count; column += 1) {
      const isDark = column < count && code.isDark(row, column);
      if (!isDark && column > start) path += `M${start + quietZoneModules} ${row + quietZoneModules}h${column - start}v1H${start + quietZoneModules}z`;
      if (!isDark) start = column + 1;
    }
  }
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const edge = count + 2 * quietZoneModules;
  svg.setAttribute('viewBox', `0 0 ${edge} ${edge}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('shape-rendering', 'crispEdges');
  const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}
