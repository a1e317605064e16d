// Asks before something is done to everyone that cannot be undone.

import { button, find } from './elements.js';

/**
 * @param {{ title: string, text: string, accept: string }} question
 * @returns {Promise<boolean>}
 */
export function confirm({ title, text, accept }) {
  const dialog = find('confirm-dialog', HTMLDialogElement);
  find('confirm-title', HTMLHeadingElement).textContent = title;
  find('confirm-text', HTMLParagraphElement).textContent = text;
  button('confirm-accept').textContent = accept;
  dialog.returnValue = '';
  dialog.showModal();
  button('confirm-cancel').onclick = () => dialog.close('');
  button('confirm-accept').onclick = () => dialog.close('yes');
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
