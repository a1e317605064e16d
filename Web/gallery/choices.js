// What somebody has chosen once and for this device: how photos are ordered, and whether cameras' data stays in them.

const storageName = 'hearth-gallery-choices';

/** @typedef {'added' | 'taken'} Order */
/** @typedef {{ order: Order, keepsMetadata: boolean }} Choices */

/**
 * @param {string | null} text as it was kept
 * @returns {Choices} the usual choice wherever nothing that fits was kept
 */
export function readChoices(text) {
  /** @type {Record<string, unknown>} */
  let kept = {};
  try {
    kept = Object(JSON.parse(text ?? '{}'));
  } catch {
    // Somebody else's text, or half of one.
  }
  return { order: kept.order === 'taken' ? 'taken' : 'added', keepsMetadata: kept.keepsMetadata === true };
}

export class ChoiceKeeper {
  /** @type {Choices} */
  #choices;

  constructor() {
    this.#choices = readChoices(readStorage());
  }

  get choices() {
    return this.#choices;
  }

  /** @param {Partial<Choices>} change */
  choose(change) {
    this.#choices = { ...this.#choices, ...change };
    try {
      localStorage.setItem(storageName, JSON.stringify(this.#choices));
    } catch {
      // Without storage a choice lasts as long as the page.
    }
  }
}

function readStorage() {
  try {
    return localStorage.getItem(storageName);
  } catch {
    return null;
  }
}
