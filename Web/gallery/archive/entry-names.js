// Gives every entry of an archive a name that every system can unpack, and no two the same one.

const nameLimitBytes = 200;

const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const controls = /[\u0000-\u001f\u007f-\u009f]/g;
// With marks that turn the direction of writing or take no room a name can look like another one. The joiners are left: scripts and emoji need them.
const invisibles = /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb]/g;
const separators = /[/\\:*?"<>|]/g;
const reserved = /^(con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)\s*(?=\.|$)/i;

export class EntryNames {
  /** Which number the next bearer of a name gets, by the name's key. @type {Map<string, number>} */
  #nextNumbers = new Map();

  /**
   * @param {string} wanted as a stranger chose it
   * @returns {string} a file name without any path, in NFC, unlike every one given before on systems that ignore case and composition; later bearers of a name get ` (2)`, ` (3)` and so on
   */
  take(wanted) {
    const { stem, extension } = partsOf(safeName(wanted));
    const first = cut(stem, extension);
    if (this.#claim(first)) return first;
    const key = keyOf(first);
    for (let number = this.#nextNumbers.get(key) ?? 2; ; number += 1) {
      const name = cut(stem, ` (${number})${extension}`);
      if (this.#claim(name)) {
        this.#nextNumbers.set(key, number + 1);
        return name;
      }
    }
  }

  /** @param {string} name */
  #claim(name) {
    const key = keyOf(name);
    if (this.#nextNumbers.has(key)) return false;
    this.#nextNumbers.set(key, 2);
    return true;
  }
}

/** @param {string} name */
function safeName(name) {
  const safe = name
    .replace(loneSurrogates, '_')
    .normalize('NFC')
    .replace(controls, '_')
    .replace(invisibles, '_')
    .replace(separators, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  if (safe === '') return 'photo';
  return reserved.test(safe) ? `_${safe}` : safe;
}

/** @param {string} name */
function partsOf(name) {
  const extension = /(?<=.)\.[a-z0-9]{1,15}$/i.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** @param {string} stem @param {string} ending */
function cut(stem, ending) {
  const encoder = new TextEncoder();
  let room = nameLimitBytes - encoder.encode(ending).length;
  let kept = '';
  for (const character of stem) {
    room -= encoder.encode(character).length;
    // A cut stem can end in what Windows takes away from the end of a name.
    if (room < 0) return (kept.replace(/[.\s]+$/, '') || '_') + ending;
    kept += character;
  }
  return kept + ending;
}

/** Two names that any usual file system takes for one have the same key; some that are different have too, which costs a number. @param {string} name */
function keyOf(name) {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
