// Saves many originals as one archive: written piece by piece where the browser lets a page do so, else handed over when it is whole.

import { zipOf } from '../archive/zip-stream.js';
import { language, text } from '../language.js';
import { originalsOf } from '../saving-all.js';
import { button, find } from './elements.js';
import { download } from './saving.js';

/** @typedef {{ createWritable: () => Promise<WritableStream> }} FileHandle */
/** @typedef {(options: { suggestedName: string, types: { accept: Record<string, string[]> }[] }) => Promise<FileHandle>} FilePicker */

export class Archive {
  /** @type {AbortController | null} */
  #abort = null;
  #progress = { done: 0, count: 0 };

  /** @param {import('../model.js').Gallery} gallery @param {(photoId: string) => void} want */
  constructor(gallery, want) {
    this.gallery = gallery;
    this.want = want;
    button('saving-stop').addEventListener('click', () => this.#abort?.abort());
    language.addEventListener('change', () => this.#draw());
  }

  /** One at a time; says by a message how it ended. @param {readonly string[]} photoIds */
  async save(photoIds) {
    if (this.#abort !== null || photoIds.length === 0) return;
    const abort = new AbortController();
    this.#abort = abort;
    let missedCount = 0;
    try {
      const name = `${text('saving.file')} ${new Date().toLocaleDateString('sv')}.zip`;
      const target = await chooseTarget(name);
      this.#report(0, photoIds.length);
      const stream = zipOf(originalsOf(this.gallery, photoIds, {
        want: this.want,
        missed: ({ name: missed }) => {
          missedCount += 1;
          this.gallery.notify({ kind: 'not-saved', name: missed });
        },
        reached: (done) => this.#report(done, photoIds.length),
        signal: abort.signal,
      }));
      if (target) await stream.pipeTo(await target.createWritable(), { signal: abort.signal });
      else await downloadStream(stream, name, abort.signal);
      abort.signal.throwIfAborted();
      if (missedCount < photoIds.length) this.gallery.notify({ kind: 'saved-all', count: photoIds.length - missedCount });
    } catch (error) {
      // Stopped, or the dialog for the file was closed.
      const isStopped = abort.signal.aborted || (error instanceof DOMException && error.name === 'AbortError');
      if (!isStopped) this.gallery.notify({ kind: 'archive-failed' });
    } finally {
      this.#abort = null;
      this.#draw();
    }
  }

  /** @param {number} done @param {number} count */
  #report(done, count) {
    this.#progress = { done, count };
    this.#draw();
  }

  #draw() {
    const isSaving = this.#abort !== null;
    find('saving', HTMLElement).hidden = !isSaving;
    button('save-all').disabled = isSaving;
    const { done, count } = this.#progress;
    const bar = find('saving-progress', HTMLProgressElement);
    [bar.max, bar.value] = [Math.max(1, count), done];
    find('saving-text', HTMLElement).textContent = isSaving ? text('saving.progress', { done, count }) : '';
  }
}

/** @param {string} name @returns {Promise<FileHandle | null>} null where the browser has no such dialog; rejects when somebody closes it */
async function chooseTarget(name) {
  const choose = /** @type {{ showSaveFilePicker?: FilePicker }} */ (/** @type {unknown} */ (globalThis)).showSaveFilePicker;
  if (typeof choose !== 'function') return null;
  return choose({ suggestedName: name, types: [{ accept: { 'application/zip': ['.zip'] } }] });
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream @param {string} name @param {AbortSignal} signal */
async function downloadStream(stream, name, signal) {
  // The browser keeps a large body on its disk, not in the page.
  const whole = stream.pipeThrough(new TransformStream(), { signal });
  download(await new Response(whole, { headers: { 'Content-Type': 'application/zip' } }).blob(), name);
}
