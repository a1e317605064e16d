// Packs any number of photos into one ZIP while it is being saved, so that no more than a piece of one is ever in memory.

import { crc32 } from './crc32.js';
import { EntryNames } from './entry-names.js';
import { dataDescriptor, directoryRecord, endOfDirectory, limit32, localHeader } from './zip-records.js';

/** @typedef {import('./zip-records.js').Bytes} Bytes */
/** @typedef {import('./zip-records.js').EntryRecord} EntryRecord */
/**
 * @typedef {{ name: string, modified: Date } & ({ blob: Blob } | { stream: ReadableStream<Uint8Array>, sizeBytes?: number })} ZipEntry
 * `name` may be anything: it is made safe and unlike the others. A `stream` that is not as long as its `sizeBytes` fails the archive.
 */

const pieceLengthBytes = 1_048_576;
const directoryPieceLengthBytes = 65_536;

/**
 * A ZIP of `entries`, stored as they are, in their order. Each entry is asked for when the one before it is written, so originals can be fetched one by one.
 * Where a source fails the stream fails with the same error before the directory is written: no reader takes what came out for a whole archive.
 * Cancelling it ends the entries' iterator and the stream that is being read.
 * @param {AsyncIterable<ZipEntry> | Iterable<ZipEntry>} entries
 * @returns {ReadableStream<Bytes>}
 */
export function zipOf(entries) {
  const ending = new AbortController();
  const pieces = archive(entries, ending.signal);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        ending.abort();
        // Whoever cancels does not wait for a source that may never answer.
        pieces.return().catch(() => {});
      },
    },
    { highWaterMark: 0 },
  );
}

/** @param {AsyncIterable<ZipEntry> | Iterable<ZipEntry>} entries @param {AbortSignal} signal @returns {AsyncGenerator<Bytes, void, void>} */
async function* archive(entries, signal) {
  const names = new EntryNames();
  /** @type {Bytes[]} */
  const directory = [];
  let offset = 0;
  for await (const entry of entries) {
    const shared = { name: new TextEncoder().encode(names.take(entry.name)), modified: entry.modified, offset, crc: 0, sizeBytes: 0 };
    /** @type {EntryRecord} */
    const record = { ...shared, hasDescriptor: !('blob' in entry), isLarge: isLarge(entry) };
    for await (const piece of 'blob' in entry ? known(entry.blob, record) : streamed(entry, record, signal)) {
      yield piece;
      offset += piece.length;
    }
    directory.push(directoryRecord(record));
  }
  const length = directory.reduce((sum, bytes) => sum + bytes.length, 0);
  yield* joined(directory);
  yield endOfDirectory(directory.length, offset, length);
}

/** Where the size is not known it may turn out to be anything. @param {ZipEntry} entry */
function isLarge(entry) {
  const sizeBytes = 'blob' in entry ? entry.blob.size : entry.sizeBytes;
  return sizeBytes === undefined || sizeBytes >= limit32;
}

/**
 * A blob is read twice: with its checksum in front it opens in every reader, also in those that cannot follow a descriptor.
 * @param {Blob} blob @param {EntryRecord} record
 */
async function* known(blob, record) {
  record.sizeBytes = blob.size;
  let only = null;
  for await (const piece of piecesOf(blob)) {
    record.crc = crc32(piece, record.crc);
    only = piece;
  }
  yield localHeader(record);
  if (only !== null && only.length === blob.size) yield only;
  else yield* piecesOf(blob);
}

/** @param {Blob} blob */
async function* piecesOf(blob) {
  for (let at = 0; at < blob.size; at += pieceLengthBytes) {
    const end = Math.min(at + pieceLengthBytes, blob.size);
    const piece = new Uint8Array(await blob.slice(at, end).arrayBuffer());
    if (piece.length !== end - at) throw new Error(`A photo of ${blob.size} bytes ended after ${at + piece.length}`);
    yield piece;
  }
}

/**
 * Passes a stream on and says behind it what it turned out to be.
 * @param {{ stream: ReadableStream<Uint8Array>, sizeBytes?: number }} entry @param {EntryRecord} record @param {AbortSignal} signal
 */
async function* streamed({ stream, sizeBytes }, record, signal) {
  const reader = stream.getReader();
  const end = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', end);
  try {
    yield localHeader(record);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      record.crc = crc32(value, record.crc);
      record.sizeBytes += value.length;
      if (sizeBytes !== undefined && record.sizeBytes > sizeBytes) break;
      yield /** @type {Bytes} */ (value);
    }
    if (sizeBytes !== undefined && record.sizeBytes !== sizeBytes) {
      throw new Error(`A photo announced with ${sizeBytes} bytes has ${record.sizeBytes > sizeBytes ? 'more' : `only ${record.sizeBytes}`}`);
    }
    yield dataDescriptor(record);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}

/** @param {Bytes[]} parts */
async function* joined(parts) {
  let piece = new Uint8Array(directoryPieceLengthBytes);
  let length = 0;
  for (const part of parts) {
    if (length + part.length > piece.length) {
      yield piece.subarray(0, length);
      piece = new Uint8Array(Math.max(directoryPieceLengthBytes, part.length));
      length = 0;
    }
    piece.set(part, length);
    length += part.length;
  }
  if (length > 0) yield piece.subarray(0, length);
}
