// Every number that the gallery itself sets; those of the protocol are the library's.

import { limits } from '../../groupactivities/limits.js';

/** The protocol's limit for an attachment, asked for here before a byte is read. */
export const photoLimitBytes = limits.attachmentSizeLimitBytes;
/** The protocol's limit for a person's name. */
export const displayNameLimitBytes = limits.displayNameSizeLimitBytes;

/** Beyond this a picture is not decoded: four bytes a pixel would be 480 MB. */
export const decodeLimitPixels = 120_000_000;
/** The long edge of a thumbnail that this page makes. */
export const thumbnailEdgePixels = 480;
/** A thumbnail travels in the metadata as base64, beside names, within 64 KiB. */
export const thumbnailLimitBytes = 40_000;
/** The long edge of a thumbnail taken from others. */
export const foreignThumbnailEdgePixels = 1_024;
/** How many files are read and made small at a time. */
export const preparationConcurrency = 3;
/** How many files are in memory as a whole at a time, since digests cannot be taken piece by piece. */
export const digestConcurrency = 2;
/** How many originals are fetched at a time while nobody asks for one. */
export const backgroundLoadConcurrency = 3;
/**
 * What originals of others may take in this page before they come only when they are wanted. Some engines keep them in memory.
 * @returns {number}
 */
export function originalsBudgetBytes() {
  const { deviceMemory = 0 } = /** @type {{ deviceMemory?: number }} */ (globalThis.navigator ?? {});
  return deviceMemory >= 8 ? 1_000_000_000 : 400_000_000;
}
/** How many photos are announced and on their way at a time: enough that the others see a whole evening's thumbnails at once. */
export const uploadConcurrency = 32;
/** A photo's name, as it travels. */
export const photoNameLimitCharacters = 255;
/** What somebody writes under a photo. */
export const captionLimitCharacters = 300;
/** How long a removal can be undone. */
export const undoMilliseconds = 6_000;
/** How long a finger rests for the menu. */
export const longPressMilliseconds = 500;
/** Reactions to one photo that are heard. */
export const reactionLimitPerPhoto = 200;
/** Photos that something was said about. */
export const remarkedPhotoLimit = 20_000;
