// Ends a participation that an earlier page could not end itself: it was reloaded without a connection, or thrown away.

import { encodeFrame } from './frames.js';
import { RelayConnection } from './transport.js';

const limitMilliseconds = 10_000;
const ticketPattern = /^([\w-]{22})\.([\w-]{22})$/;

/**
 * Comes back in that participation's name and leaves at once. It is tried once: if it fails, the relay gives the place up by itself when the resume window is over.
 * @param {string} ticket of that participation
 * @param {{ invitation: import('./invitation.js').Invitation, relayToken: Uint8Array, environment: import('./environment.js').Environment }} where
 * @returns {Promise<void>} never rejects
 */
export function sayFarewell(ticket, { invitation: { origin, conversationId }, relayToken, environment }) {
  const [, participant, participantSecret] = ticketPattern.exec(ticket) ?? [];
  if (participant === undefined || participantSecret === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const connection = new RelayConnection({ origin, conversationId, network: environment.network }, {
      onOpen: () => {
        connection.send(encodeFrame({ type: 'hello', version: 1, create: false, participant, participantSecret, relayToken, incarnation: 0n, sessions: [], pass: null }));
        // At once: this page, too, may be gone before the answer comes.
        connection.send(encodeFrame({ type: 'leave' }));
      },
      onMessage: () => {},
      onClose: () => end(),
    });
    const timer = environment.setTimeout(() => {
      connection.drop();
      end();
    }, limitMilliseconds);
    const end = () => {
      environment.clearTimeout(timer);
      resolve();
    };
  });
}

/** @param {string} participant @param {string} participantSecret */
export function ticketOf(participant, participantSecret) {
  return `${participant}.${participantSecret}`;
}
