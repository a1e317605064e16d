// What stands in an introduction and in the announcement of an activity.

import { ByteReader, ByteWriter } from './bytes.js';
import { HearthError } from './errors.js';
import { limits } from './limits.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @param {string} name shown to the others, 1 to 64 bytes of UTF-8
 * @throws {HearthError} `name-too-long`; `malformed` for an empty name
 */
export function introductionBody(name) {
  const bytes = encoder.encode(name);
  if (bytes.length > limits.displayNameSizeLimitBytes) {
    throw new HearthError('name-too-long', `A name of ${bytes.length} bytes; ${limits.displayNameSizeLimitBytes} are allowed`, {
      limit: limits.displayNameSizeLimitBytes,
      value: bytes.length,
    });
  }
  if (bytes.length === 0) throw new HearthError('malformed', 'A name of no characters');
  return new ByteWriter().vec(bytes).finish();
}

/**
 * @param {Uint8Array} body
 * @returns {string} text from a stranger
 * @throws {HearthError} `malformed`
 */
export function readIntroduction(body) {
  const bytes = new ByteReader(body).vec();
  if (bytes.length === 0 || bytes.length > limits.displayNameSizeLimitBytes) {
    throw new HearthError('malformed', `A name of ${bytes.length} bytes`, { limit: limits.displayNameSizeLimitBytes, value: bytes.length });
  }
  return text(bytes);
}

/** @param {{ activityIdentifier: string, activity: unknown, metadata: unknown }} announcement the last two any JSON values */
export function activityBody({ activityIdentifier, activity, metadata }) {
  return new ByteWriter().vec(encoder.encode(activityIdentifier)).vec(jsonBytes(activity)).vec(jsonBytes(metadata)).finish();
}

/**
 * @param {Uint8Array} body
 * @returns {{ activityIdentifier: string, activity: unknown, metadata: unknown }} values from a stranger
 * @throws {HearthError} `malformed`
 */
export function readActivity(body) {
  const reader = new ByteReader(body);
  return { activityIdentifier: text(reader.vec()), activity: readJson(reader.vec()), metadata: readJson(reader.vec()) };
}

/** JSON in UTF-8; `undefined` becomes null. @param {unknown} value */
export function jsonBytes(value) {
  return encoder.encode(JSON.stringify(value) ?? 'null');
}

/**
 * @param {Uint8Array} bytes
 * @returns {unknown}
 * @throws {HearthError} `malformed`
 */
export function readJson(bytes) {
  const json = text(bytes);
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new HearthError('malformed', 'Text that is not JSON', { cause });
  }
}

/** @param {Uint8Array} bytes */
function text(bytes) {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new HearthError('malformed', 'Text that is not UTF-8', { cause });
  }
}
