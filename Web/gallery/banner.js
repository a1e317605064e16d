// Decides, as a value, what one sentence above the photos says and what it offers.

import { text } from './language.js';
import { shownText } from './photos/names.js';
import { sentenceFor } from './texts.js';
import { statusOf } from './states.js';

/**
 * @typedef {object} Banner
 * @property {string} kind
 * @property {string} text
 * @property {boolean} [isUrgent] said at once by who reads the page aloud
 * @property {string} [command] to be typed by whoever runs the server
 * @property {{ label: string, does: 'rejoin' | 'start-over' | 'intend-all' }} [action]
 */

/** The command that gives a server TLS without a certificate of one's own. */
export const tlsCommand = 'hearth serve --tls-self-signed';

const rejoinable = new Set(['left', 'replaced', 'flooding', 'relay-unreachable', 'malformed', 'unexpected', 'conversation-full', 'locked', 'invitation-ended', 'declined', 'not-answered', 'too-many-waiting', 'not-from-relay', 'unsupported-version']);

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
      text: `${sentenceFor({ code: 'insecure-context' })} ${text('banner.insecure-context')}`,
      command: tlsCommand,
    };
  }
  const status = statusOf(sharing);
  const lost = counts.lost === 0 ? '' : ` ${text('banner.lost', { count: counts.lost })}`;
  const rejoin = text('button.rejoin');
  switch (status) {
    case 'left': return { kind: 'left', text: sentenceFor({ code: 'left' }) + lost, action: { label: rejoin, does: 'rejoin' } };
    case 'ended': return { kind: 'ended', text: sentenceFor({ code: 'ended' }) + lost };
    case 'closed': {
      const reason = sharing.reason ?? { code: 'conversation-closed' };
      const words = sentenceFor(reason) + lost;
      return rejoinable.has(reason.code) ? { kind: 'closed', text: words, action: { label: rejoin, does: 'rejoin' } } : { kind: 'closed', text: words };
    }
    case 'broken':
      return { kind: 'broken', text: sentenceFor(sharing.reason ?? { code: 'gap' }) + lost, action: { label: rejoin, does: 'start-over' } };
    case 'not-sharing': return { kind: 'not-sharing', text: text('banner.not-sharing') };
    default:
  }
  const { divergent } = sharing;
  if (divergent.length > 0) {
    const name = shownText(divergent[0], text('people.somebody'));
    return { kind: 'divergence', text: text('banner.divergence', { count: divergent.length, name }), isUrgent: true };
  }
  const isOpen = status === 'in-sync' || status === 'catching-up';
  if (isOpen && counts.private > 0) {
    return {
      kind: 'private',
      text: text('banner.private', { count: counts.private }),
      action: { label: text('button.intend-all', { count: counts.private }), does: 'intend-all' },
    };
  }
  return null;
}
