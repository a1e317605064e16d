// What a sealed door holds, for the members alone: how it stands, until when, and the pass that lets a member back in past it.

import { ByteReader, ByteWriter } from './bytes.js';
import { HearthError } from './errors.js';
import { limits } from './limits.js';

/** @typedef {'open' | 'knock' | 'locked'} DoorMode */
/** `closesAt`: seconds since 1970; 0: never. @typedef {{ mode: DoorMode | 'unknown', closesAt: number, pass: Uint8Array }} DoorContent */

const modes = /** @type {const} */ (['open', 'knock', 'locked']);
export const passLengthBytes = 32;

/** @param {DoorContent} door */
export function doorBody({ mode, closesAt, pass }) {
  const number = modes.indexOf(/** @type {DoorMode} */ (mode));
  if (number < 0 || pass.length !== passLengthBytes) throw new RangeError(`A door cannot be ${mode} with a pass of ${pass.length} bytes`);
  return new ByteWriter().u8(number).u64(closesAt).raw(pass).finish();
}

/**
 * @param {Uint8Array} body
 * @returns {DoorContent}
 * @throws {HearthError} `malformed`
 */
export function readDoor(body) {
  const reader = new ByteReader(body);
  return { mode: modes[reader.u8()] ?? 'unknown', closesAt: reader.safeU64(), pass: reader.take(passLengthBytes).slice() };
}

/**
 * Seconds since 1970 for an end that somebody asks for.
 * @param {Date | null} closesAt
 * @throws {HearthError} `date-out-of-range` for what is no date, or none that a door could have
 */
export function secondsOf(closesAt) {
  if (closesAt === null) return 0;
  const seconds = Math.ceil(closesAt.getTime() / 1_000);
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new HearthError('date-out-of-range', 'An invitation cannot end then', { limit: limits.doorDateLimitSeconds, value: Number.isNaN(seconds) ? 0 : seconds });
}
