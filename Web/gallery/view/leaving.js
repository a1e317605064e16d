// The sheet in which one leaves, or ends it for everyone, knowing what either means.

import { button, find, makeClosable } from './elements.js';
import { countsOf } from '../states.js';

/**
 * @param {import('../model.js').Gallery} gallery
 * @param {{ leave: () => Promise<void>, end: () => Promise<void> }} doors
 */
export function followLeaving(gallery, doors) {
  const dialog = find('leave-dialog', HTMLDialogElement);
  makeClosable(dialog);
  button('leave').addEventListener('click', () => {
    const { sending, loading } = countsOf(gallery.photos);
    const warnings = [];
    if (sending > 0) warnings.push(`${sending === 1 ? 'One of your photos is' : `${sending} of your photos are`} not fully sent, and would be gone for the others.`);
    if (loading > 0) warnings.push(`${loading === 1 ? 'One photo has' : `${loading} photos have`} not fully come to you yet.`);
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
