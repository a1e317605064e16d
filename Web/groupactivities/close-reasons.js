// Why a connection ended, as a word, and what follows from it (docs/protocol/README.md, "Closing").

const words = /** @type {const} */ ({
  4000: 'left',
  4001: 'conversation-ended',
  4100: 'malformed',
  4101: 'unsupported-version',
  4103: 'not-invited',
  4104: 'unknown-conversation',
  4105: 'conversation-full',
  4106: 'replaced',
  4107: 'unknown-frame',
  4108: 'frame-too-large',
  4109: 'locked',
  4110: 'flooding',
  4111: 'invitation-ended',
  4112: 'declined',
  4113: 'not-answered',
  4114: 'too-many-waiting',
  4200: 'shutting-down',
  4201: 'too-slow',
  4202: 'silent',
  4203: 'overloaded',
  4300: 'cannot-resume',
});

/**
 * `over`: do not come back. `refused`: the same words will be refused again. `resume`: come back with backoff. `new`: come back as a new participant.
 * @typedef {'over' | 'refused' | 'resume' | 'new'} Consequence
 */
/** `interrupted`: a code that is not the relay's own, from a browser, a proxy or a broken line. @typedef {typeof words[keyof typeof words] | 'unknown' | 'interrupted'} CloseWord */

/**
 * @param {number} code of the WebSocket's close event
 * @returns {{ code: number, word: CloseWord, consequence: Consequence }}
 */
export function closeReason(code) {
  const consequence = consequenceOf(code);
  if (consequence === null) return { code, word: 'interrupted', consequence: 'resume' };
  const word = /** @type {Record<number, CloseWord | undefined>} */ (words)[code];
  return { code, word: word ?? 'unknown', consequence };
}

/**
 * @param {number} code
 * @returns {Consequence | null}
 */
function consequenceOf(code) {
  switch (Math.floor(code / 100)) {
    case 40:
      return 'over';
    case 41:
      return 'refused';
    case 42:
      return 'resume';
    case 43:
      return 'new';
    default:
      return null;
  }
}
