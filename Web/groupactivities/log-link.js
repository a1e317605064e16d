// What everybody in a session sees of one place of its log, in bytes that two participants can compare (docs/protocol/sealing.md, "The log").

import { ByteWriter } from './bytes.js';
import { bytesOfId } from './identifiers.js';

const { subtle } = globalThis.crypto ?? {};

const codes = Object.freeze({ entered: 0x24, exited: 0x25, ended: 0x26, ordered: 0x27, skipped: 0x28, entry: 0x2a, removed: 0x2b });

/**
 * A record for some gives the same link whether it was shown or skipped; one for everyone is never skipped. Reasons are left out: not every client tells those of a later version from each other.
 * @param {import('./session-state.js').LoggedFrame} frame
 * @param {{ senderId: string, counter: number } | null} opened whose record it turned out to be, and which; null: what the relay says of it counts
 * @returns {Uint8Array | Promise<Uint8Array>} what has to be hashed is ready later
 */
export function linkOf(frame, opened) {
  const writer = new ByteWriter(96);
  switch (frame.type) {
    case 'entered':
    case 'exited':
    case 'ended':
      return writer.u8(codes[frame.type]).u64(frame.sequence).raw(bytesOfId(frame.participant)).finish();
    case 'ordered':
      return writer.u8(frame.recipients.length === 0 ? codes.ordered : codes.skipped).u64(frame.sequence)
        .raw(bytesOfId(opened?.senderId ?? frame.sender)).u64(opened?.counter ?? frame.counter).finish();
    case 'skipped':
      return writer.u8(codes.skipped).u64(frame.sequence).raw(bytesOfId(frame.sender)).u64(frame.counter).finish();
    case 'entry':
      return entryLink(frame, writer);
    case 'removed':
      return writer.u8(codes.removed).u64(frame.sequence).raw(bytesOfId(frame.remover)).raw(bytesOfId(frame.entry)).finish();
  }
}

/**
 * Whatever a relay changes of an entry hides it from somebody, and flags and length are outside of what is sealed.
 * @param {import('./frames.js').FrameOf<'entry'>} frame
 * @param {ByteWriter} writer
 */
async function entryLink({ sequence, version, putter, entry, isPresenceBound, isBodyComplete, bodyLength, sealed }, writer) {
  writer.u8(codes.entry).u64(sequence).u64(version).raw(bytesOfId(putter)).raw(bytesOfId(entry));
  writer.u8((isPresenceBound ? 1 : 0) | (isBodyComplete ? 2 : 0)).u64(bodyLength);
  return writer.raw(new Uint8Array(await subtle.digest('SHA-256', /** @type {BufferSource} */ (sealed)))).finish();
}
