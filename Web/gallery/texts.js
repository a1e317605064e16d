// Every sentence that a person reads because something happened; the words of fixed buttons stand in index.html.

/** @typedef {{ code: string, limit?: number, value?: number }} Cause */

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/**
 * @param {number | undefined} bytes
 * @returns {string} in decimal units, as shops and phones count: `100 MB`, `3.4 MB`, `612 bytes`
 */
export function sizeText(bytes) {
  if (bytes === undefined || !Number.isFinite(bytes)) return 'an unknown size';
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  // One more digit, and always upwards where a limit is just passed, or "100 MB is more than 100 MB" comes out.
  const rounded = unit === 0 ? value : value >= 100 ? Math.ceil(value) : Math.ceil(value * 10) / 10;
  return `${rounded} ${rounded === 1 && unit === 0 ? 'byte' : units[unit]}`;
}

/** @type {Record<string, (cause: Cause) => string>} */
const sentences = {
  // Reading a file
  empty: () => 'The file is empty (0 bytes).',
  'too-large': ({ limit, value }) => `It has ${exactSizeText(value, limit)}; a photo may have ${sizeText(limit)} at most. Nothing of it was sent.`,
  'not-a-picture': () => 'This is not a photo, whatever its name says. JPEG, PNG, WebP, GIF, AVIF and HEIC can be added.',
  damaged: () => 'The picture is damaged: it could not be read.',
  unreadable: () => 'The file could not be read. If it is a folder, add the photos in it; if it was moved or changed, add it again.',
  'source-changed': () => 'The file was changed on this device while it was being sent. Add it again.',

  // Coming in
  'insecure-context': () => 'This page was opened without encryption, so your browser does not let it encrypt photos. Sharing is off; photos that you add stay here.',
  'invitation-incomplete': () => 'This link is not complete: the key behind # is missing or cut off. Ask for the whole link, or paste it here.',
  'invitation-damaged': () => 'This link is damaged, perhaps cut off when it was sent. Ask for the link again, or paste it here.',
  'invitation-unsupported': () => 'This link was made by a newer version of Hearth. Reload the page, or ask whoever runs this server to update it.',
  'unknown-conversation': () => 'There is nothing behind this link any more: everyone has left, or the link is damaged. Ask for a new one.',
  'not-invited': () => 'This link does not open this gallery: its key is not the right one. Ask for the link again.',
  'conversation-full': ({ limit }) => `Nobody more fits in${limit ? `: ${limit} people are the limit` : ''}. Try again when somebody has left.`,
  'relay-unreachable': () => 'The server does not answer. Check your connection and try again.',
  'unsupported-version': () => 'This page and the server do not speak the same version. Reload the page.',
  'name-too-long': ({ limit, value }) => `This name is too long: it takes ${value ?? 'more'} bytes, and ${limit ?? 64} is the limit. Most letters take one, an emoji four or more.`,
  'name-missing': () => 'Type a name, so that the others know who you are.',
  'not-from-relay': () => 'Something between this page and the server answered in its place: a sign-in page, perhaps, or a proxy.',

  // Being over
  left: () => 'You have left. The photos that are here can still be saved.',
  ended: () => 'Sharing has ended for everyone. The photos that are here can still be saved.',
  'conversation-ended': () => 'Sharing has ended for everyone. The photos that are here can still be saved.',
  'conversation-closed': () => 'The connection was closed.',
  'cannot-resume': () => 'You were away too long. Coming back …',
  replaced: () => 'You have come back on another connection, and this one was closed.',
  gap: () => 'The server left something out, so this page no longer knows that it has everything. Rejoin to get the whole gallery again.',
  tampered: () => 'Something was changed on its way here, so it was not opened. Your photos are safe; what came may not be what was sent.',
  malformed: () => 'The server did not understand this page. Reload it.',
  flooding: () => 'This page sent more at once than the server takes. Wait a moment and rejoin.',
  'session-invalidated': () => 'Sharing has ended.',

  // Sharing a photo
  'attachment-too-large': ({ limit, value }) => `It has ${exactSizeText(value, limit)}; a photo may have ${sizeText(limit)} at most.`,
  'metadata-too-large': ({ limit, value }) => `What is said about it takes ${sizeText(value)}; the limit is ${sizeText(limit)}.`,
  'entry-too-large': ({ limit, value }) => `Its entry takes ${sizeText(value)}; the limit is ${sizeText(limit)}.`,
  'message-too-large': ({ limit, value }) => `A message of ${sizeText(value)} is more than the limit of ${sizeText(limit)}.`,
  'conversation-quota': ({ limit, value }) => `All photos together may have ${sizeText(limit)} here; with this one it would be ${sizeText(value)}. Remove some and try again.`,
  'relay-quota': ({ limit }) => `The server is full${limit ? `: it keeps ${sizeText(limit)} for everyone on it` : ''}. Try again later.`,
  'storage-failed': () => 'The server could not store it; its disk may be full. Try again later.',
  'proxy-limit': ({ limit }) => `A proxy in front of the server refuses parts of this size${limit ? ` (${sizeText(limit)})` : ''}. Whoever runs it can raise its limit.`,
  'too-many-sessions': ({ limit }) => `There are ${limit ?? 'too many'} activities in this conversation already. End one first.`,
  'too-many-entries': ({ limit }) => `There are ${limit ?? 'too many'} photos already, and no more fit in. Remove some first.`,
  'body-incomplete': ({ limit, value }) => `The server has only ${value ?? 'some'} of ${limit ?? 'all'} parts of it. It is sent again.`,
  'queue-full': () => 'Too much is waiting for the connection to come back. Try again when it is.',
  'not-permitted': () => 'The server did not permit it.',
  removed: () => 'Somebody has removed this photo.',
  aborted: () => 'It was stopped.',
};

/**
 * @param {Cause} cause a refusal or a `HearthError`
 * @returns {string} one or two sentences that say what happened and what to do
 */
export function sentenceFor(cause) {
  return sentences[cause.code]?.(cause) ?? 'Something went wrong that should not have. Reload the page and try again.';
}

/** Whether there is a sentence of its own for this code. @param {string} code */
export function hasSentence(code) {
  return code in sentences;
}

/** @param {number | undefined} value @param {number | undefined} limit */
function exactSizeText(value, limit) {
  return sizeText(value) === sizeText(limit) && value !== undefined ? `${value.toLocaleString('en')} bytes` : sizeText(value);
}

/**
 * @param {import('./model.js').Notice} notice
 * @param {string} name safe to show
 * @returns {string}
 */
export function noticeText(notice, name) {
  const count = notice.count ?? 1;
  switch (notice.kind) {
    case 'refused': return `${name}: ${sentenceFor({ ...notice, code: notice.code ?? '' })}`;
    case 'not-shared': return `${name} was not shared. ${sentenceFor({ ...notice, code: notice.code ?? '' })}`;
    case 'not-removed': return `${name} was not removed. ${sentenceFor({ ...notice, code: notice.code ?? '' })}`;
    case 'error': return sentenceFor({ ...notice, code: notice.code ?? '' });
    case 'came': return `${name} has joined.`;
    case 'went': return `${name} has left.`;
    case 'added': return count === 1 ? `${name} added a photo.` : `${name} added ${count} photos.`;
    case 'removed': return count === 1 ? `${name} was removed.` : `${count} photos were removed.`;
    case 'copied': return 'The link is copied.';
    case 'not-copied': return 'Your browser did not let the link be copied. It is selected now: copy it by hand.';
    case 'interrupted-before': return `${name} was not fully shared when this page was closed. Add it again.`;
    default: return '';
  }
}

/** @type {Record<import('./states.js').Status, string>} */
export const statusTexts = {
  alone: 'Only on this device',
  connecting: 'Connecting …',
  'not-sharing': 'Nothing is shared yet',
  'catching-up': 'Catching up …',
  'in-sync': 'In sync',
  reconnecting: 'Reconnecting …',
  broken: 'Stopped',
  ended: 'Ended for everyone',
  left: 'You have left',
  closed: 'Not connected',
};

/**
 * @param {ReturnType<import('./states.js').countsOf>} counts
 * @returns {string} `3 sending · 12 loading`, or nothing
 */
export function countsText(counts) {
  const parts = [];
  if (counts.preparing > 0) parts.push(`${counts.preparing} getting ready`);
  if (counts.sending > 0) parts.push(`${counts.sending} sending`);
  if (counts.loading > 0) parts.push(`${counts.loading} loading`);
  return parts.join(' · ');
}

/** @param {import('./model.js').Photo} photo @param {import('./states.js').PhotoState} state @returns {string} for a tile's description */
export function photoStateText(photo, state) {
  const share = photo.progress && photo.progress.total > 0 ? ` ${Math.floor((photo.progress.bytes / photo.progress.total) * 100)} %` : '';
  switch (state) {
    case 'preparing': return 'getting ready';
    case 'local': return 'only on this device';
    case 'queued': return 'waiting to be sent';
    case 'sending': return `sending${share}`;
    case 'waiting': return 'original not loaded yet';
    case 'loading': return `loading${share}`;
    case 'interrupted': return `interrupted${share}, goes on by itself`;
    case 'failed': return photo.failure ? sentenceFor(photo.failure) : 'failed';
    case 'lost': return 'the original had not come before sharing ended';
    default: return '';
  }
}

/** @param {import('./model.js').Photo} photo @returns {string} why there is no picture to see, or nothing */
export function noPictureText(photo) {
  if (photo.isTooLargeToDecode) return `Too large to show: ${photo.width.toLocaleString('en')} × ${photo.height.toLocaleString('en')} pixels`;
  if (photo.format === 'heic') return 'HEIC: this browser cannot show it';
  if (photo.format === 'avif') return 'AVIF: this browser cannot show it';
  return 'No preview';
}

/** @param {string | null} takenAt @returns {string} the wall clock where it was taken, in no other time zone */
export function takenAtText(takenAt) {
  if (takenAt === null) return '';
  const date = new Date(`${takenAt.slice(0, 19)}Z`);
  return date.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
