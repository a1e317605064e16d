// Decides, as a value, what one sentence above the photos says and what it offers.

import { sentenceFor } from './texts.js';
import { statusOf } from './states.js';

/**
 * @typedef {object} Banner
 * @property {string} kind
 * @property {string} text
 * @property {string} [command] to be typed by whoever runs the server
 * @property {{ label: string, does: 'rejoin' | 'start-over' | 'intend-all' }} [action]
 */

/** The command that gives a server TLS without a certificate of one's own. */
export const tlsCommand = 'hearth serve --tls-self-signed';

const rejoinable = new Set(['left', 'replaced', 'flooding', 'relay-unreachable', 'malformed', 'unexpected', 'conversation-full', 'not-from-relay', 'unsupported-version']);

/**
 * @param {import('./model.js').SharingState} sharing
 * @param {ReturnType<import('./states.js').countsOf>} counts
 * @param {boolean} isSecure whether this page may encrypt
 * @returns {Banner | null}
 */
export function bannerFor(sharing, counts, isSecure) {
  if (!isSecure) {
    return {
      kind: 'insecure-context',
      text: `${sentenceFor({ code: 'insecure-context' })} Browsers allow encryption only over https, or on localhost. Whoever runs this server gets https by starting it with`,
      command: tlsCommand,
    };
  }
  const status = statusOf(sharing);
  const lost = counts.lost === 0 ? '' : ` ${photos(counts.lost)} had not fully come.`;
  switch (status) {
    case 'left': return { kind: 'left', text: sentenceFor({ code: 'left' }) + lost, action: { label: 'Rejoin', does: 'rejoin' } };
    case 'ended': return { kind: 'ended', text: sentenceFor({ code: 'ended' }) + lost };
    case 'closed': {
      const reason = sharing.reason ?? { code: 'conversation-closed' };
      const text = sentenceFor(reason) + lost;
      return rejoinable.has(reason.code) ? { kind: 'closed', text, action: { label: 'Rejoin', does: 'rejoin' } } : { kind: 'closed', text };
    }
    case 'broken':
      return { kind: 'broken', text: sentenceFor(sharing.reason ?? { code: 'gap' }) + lost, action: { label: 'Rejoin', does: 'start-over' } };
    case 'not-sharing': return { kind: 'not-sharing', text: 'Nobody is sharing photos here just now. Share together starts it for everyone who is here.' };
    default:
  }
  const isOpen = status === 'in-sync' || status === 'catching-up';
  if (isOpen && counts.private > 0) {
    return {
      kind: 'private',
      text: `${counts.private === 1 ? 'One photo is' : `${counts.private} photos are`} only on this device.`,
      action: { label: counts.private === 1 ? 'Share it too' : 'Share them too', does: 'intend-all' },
    };
  }
  return null;
}

/** @param {number} count */
function photos(count) {
  return count === 1 ? 'One photo' : `${count} photos`;
}
