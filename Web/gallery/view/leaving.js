// The sheet in which one leaves, or ends it for everyone, knowing what either means.

import { button, find, makeClosable } from './elements.js';
import { text } from '../language.js';
import { countsOf } from '../states.js';

/**
 * @param {import('../model.js').Gallery} gallery
 * @param {{ leave: () => Promise<void>, end: () => Promise<void> }} doors
 */
export function followLeaving(gallery, doors) {
  const dialog = find('leave-dialog', HTMLDialogElement);
  makeClosable(dialog);
  button('leave').addEventListener('click', () => {
    const { sending, loading, there } = countsOf(gallery.photos);
    const warnings = [];
    if (sending > 0) warnings.push(text('leave.unsent', { count: sending }));
    if (loading > 0) warnings.push(text('leave.unloaded', { count: loading }));
    if (there > 0) warnings.push(text('leave.there', { count: there }));
    const warning = find('leave-warning', HTMLParagraphElement);
    warning.hidden = warnings.length === 0;
    warning.textContent = warnings.join(' ');
    dialog.showModal();
    button('leave-confirm').focus();
  });
  button('leave-confirm').addEventListener('click', () => {
    dialog.close();
    doors.leave();
  });
  button('end').addEventListener('click', () => {
    dialog.close();
    doors.end();
  });
}
