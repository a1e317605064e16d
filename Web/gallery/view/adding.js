// The ways in for photos: picker, camera, drag and drop anywhere, paste.

import { button, find } from './elements.js';

/** @param {(files: File[]) => void} add */
export function followAdding(add) {
  followPicker(find('files', HTMLInputElement), ['add', 'empty-add'], add);
  followPicker(find('camera-file', HTMLInputElement), ['camera'], add);
  followDrops(add);
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  });
}

/** @param {HTMLInputElement} picker @param {string[]} buttons @param {(files: File[]) => void} add */
function followPicker(picker, buttons, add) {
  for (const id of buttons) button(id).addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    add([...(picker.files ?? [])]);
    // The same file can be chosen again.
    picker.value = '';
  });
}

/** @param {(files: File[]) => void} add */
function followDrops(add) {
  const veil = find('drop', HTMLDivElement);
  let depth = 0;
  const hide = () => {
    depth = 0;
    veil.hidden = true;
  };
  document.addEventListener('dragenter', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth += 1;
    veil.hidden = false;
  });
  document.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  });
  document.addEventListener('dragleave', (event) => {
    if (!hasFiles(event)) return;
    depth -= 1;
    if (depth <= 0) hide();
  });
  document.addEventListener('drop', (event) => {
    hide();
    if (!hasFiles(event)) return;
    event.preventDefault();
    add([...(event.dataTransfer?.files ?? [])]);
  });
}

/** @param {DragEvent} event */
function hasFiles(event) {
  return event.dataTransfer?.types.includes('Files') ?? false;
}
