// Large things that stay for those who come later: GroupActivities' GroupSessionJournal.

import { AttachmentList } from './attachment-list.js';
import { portOf } from './session.js';

/** @typedef {import('./attachment.js').Attachment} Attachment */
/** @typedef {import('./attachment.js').ProgressReport} ProgressReport */

/** Event: `completechange`. Several journals of one session show the same attachments. */
export class GroupSessionJournal extends EventTarget {
  #port;
  #list;
  #wasComplete;

  /** @param {import('./session.js').GroupSession} session */
  constructor(session) {
    super();
    const port = portOf.get(session);
    if (!port) throw new TypeError('A journal is made for a GroupSession');
    this.#port = port;
    this.#list = AttachmentList.of(port);
    this.#wasComplete = this.isComplete;
    const look = () => {
      if (this.isComplete === this.#wasComplete) return;
      this.#wasComplete = this.isComplete;
      this.dispatchEvent(new Event('completechange'));
    };
    port.listen({ onLedger: look, onLink: look, onWelcome: look, onPhase: look });
  }

  /** A new sequence each time: the complete list now and at each change; what a slow reader missed is left out. Ends when the session is invalidated. @returns {AsyncIterableIterator<readonly Attachment[]>} */
  get attachments() {
    return this.#list.sequence();
  }

  /** Whether the list is known to be whole: false until the relay has handed it over, and while the connection is away. */
  get isComplete() {
    return this.#port.ledger?.isComplete ?? false;
  }

  /**
   * Shares an item with everyone who is in the session or comes later. Before *joined* it waits.
   * @param {Blob | Uint8Array} item at most 100,000,000 bytes; bytes are copied, a File is read while it is sent and must not change
   * @param {{ metadata?: unknown, onProgress?: (progress: ProgressReport) => void, signal?: AbortSignal }} [options] `metadata`: any JSON value, at most 65,536 bytes of JSON;
   *   `onProgress`: of the upload, in plain bytes; `signal` takes the attachment back as long as it is not uploaded
   * @returns {Promise<Attachment>} resolves once it is announced: everyone has its metadata, the upload goes on by itself (`attachment.uploaded`). Rejects with `attachment-too-large`,
   *   `metadata-too-large`, `conversation-quota`, `relay-quota`, `storage-failed`, `too-many-entries`, `session-invalidated`, `aborted`
   */
  add(item, options = {}) {
    return this.#list.add(item, options);
  }

  /**
   * For everyone, whoever added it, from the relay's disk too.
   * @param {Attachment} attachment
   * @returns {Promise<void>} resolves when it is gone, also when it already was; rejects with `session-invalidated`, `storage-failed`
   */
  remove(attachment) {
    return this.#list.remove(attachment);
  }
}
