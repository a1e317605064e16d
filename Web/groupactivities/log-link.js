// What everybody in a session sees of one place of its log, in bytes that two participants can compare (docs/protocol/sealing.md, "The log").

import { ByteWriter } from './bytes.js';
import { bytesOfId } from './identifiers.js';

const codes = Object.freeze({ entered: 0x24, exited: 0x25, ended: 0x26, record: 0x27, entry: 0x2a, removed: 0x2b });
/** So many random bytes, and bytes of the tag, stand for a sealed entry. */
const endLength = 16;

/**
 * A record gives the same link whether it was shown or skipped. Reasons are left out: not every client tells those of a later version from each other.
 * @param {import('./session-state.js').LoggedFrame} frame
 * @param {{ senderId: string, counter: number } | null} opened whose record it turned out to be, and which; null: what the relay says of it counts
 */
export function linkOf(frame, opened) {
  const writer = new ByteWriter(96);
  switch (frame.type) {
    case 'entered':
    case 'exited':
    case 'ended':
      return writer.u8(codes[frame.type]).u64(frame.sequence).raw(bytesOfId(frame.participant)).finish();
    case 'ordered':
    case 'skipped':
      return writer.u8(codes.record).u64(frame.sequence).raw(bytesOfId(opened?.senderId ?? frame.sender)).u64(opened?.counter ?? frame.counter).finish();
    case 'entry':
      writer.u8(codes.entry).u64(frame.sequence).u64(frame.version).raw(bytesOfId(frame.putter)).raw(bytesOfId(frame.entry));
      // Random bytes and tag say which sealed bytes these are, at no cost; what is too short to have both was never sealed.
      if (frame.sealed.length < 2 * endLength) return writer.zeros(2 * endLength).finish();
      return writer.raw(frame.sealed.subarray(0, endLength)).raw(frame.sealed.subarray(-endLength)).finish();
    case 'removed':
      return writer.u8(codes.removed).u64(frame.sequence).raw(bytesOfId(frame.remover)).raw(bytesOfId(frame.entry)).finish();
  }
}
