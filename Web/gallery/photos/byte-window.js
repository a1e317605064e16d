// Reads small pieces of a large file here and there, so that walking through its chunks does not load all of it.

const windowLengthBytes = 262_144;

export class ByteWindow {
  /** @param {Blob} blob */
  constructor(blob) {
    this.blob = blob;
    this.length = blob.size;
    this.start = 0;
    this.bytes = new Uint8Array(0);
  }

  /**
   * @param {number} offset
   * @param {number} length
   * @returns {Promise<Uint8Array>} shorter than asked for where the file ends; rejects when the file cannot be read
   */
  async read(offset, length) {
    const end = Math.min(offset + length, this.length);
    if (offset >= end) return new Uint8Array(0);
    if (offset < this.start || end > this.start + this.bytes.length) {
      const slice = this.blob.slice(offset, Math.max(end, Math.min(offset + windowLengthBytes, this.length)));
      this.bytes = new Uint8Array(await slice.arrayBuffer());
      this.start = offset;
    }
    return this.bytes.subarray(offset - this.start, end - this.start);
  }

  /**
   * @param {number} offset
   * @param {number} length
   * @returns {Promise<DataView | null>} null where the file ends too early
   */
  async view(offset, length) {
    const bytes = await this.read(offset, length);
    return bytes.length === length ? new DataView(bytes.buffer, bytes.byteOffset, length) : null;
  }
}
