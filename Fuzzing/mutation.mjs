// Spoils inputs from a seed, so that whatever is found can be had again.

/** Numbers that lengths and counts go wrong with. */
const edges = [0, 1, 0x7f, 0x80, 0xff];

export class Mutation {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} from 0 to below 1 */
  random() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  /** @param {number} limit */
  below(limit) {
    return Math.floor(this.random() * limit);
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.below(items.length)];
  }

  /**
   * @param {Uint8Array} bytes
   * @param {readonly Uint8Array[]} others from which pieces are taken
   * @returns {Uint8Array<ArrayBuffer>}
   */
  spoil(bytes, others) {
    let result = Uint8Array.from(bytes);
    for (let count = 1 + this.below(5); count > 0; count -= 1) result = this.#spoilOnce(result, others);
    return result;
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes @param {readonly Uint8Array[]} others @returns {Uint8Array<ArrayBuffer>} */
  #spoilOnce(bytes, others) {
    // Most of what can go wrong stands near the beginning.
    const at = this.below(this.below(2) === 0 ? Math.min(bytes.length, 600) : bytes.length);
    const length = this.below(Math.min(64, bytes.length - at) + 1);
    switch (this.below(9)) {
      case 0:
        if (bytes.length > 0) bytes[at] ^= 1 << this.below(8);
        return bytes;
      case 1:
        if (bytes.length > 0) bytes[at] = this.pick(edges);
        return bytes;
      case 2:
        if (bytes.length > 0) bytes[at] = this.below(256);
        return bytes;
      case 3: {
        const value = this.pick(edges);
        return bytes.fill(value, at, at + this.pick([2, 4, 8]));
      }
      case 4:
        return bytes.slice(0, at);
      case 5:
        return join(bytes.subarray(0, at), bytes.subarray(at + length));
      case 6:
        return join(bytes.subarray(0, at + length), bytes.subarray(at));
      case 7: {
        const other = this.pick(others);
        const from = this.below(other.length);
        return join(bytes.subarray(0, at), other.subarray(from, from + this.below(200)), bytes.subarray(at));
      }
      default:
        return join(bytes.subarray(0, at), Uint8Array.from({ length: this.below(16) }, () => this.below(256)), bytes.subarray(at));
    }
  }
}

/** @param {...Uint8Array} pieces @returns {Uint8Array<ArrayBuffer>} */
function join(...pieces) {
  const result = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}
