// Pictures as strangers send them: their headers are read, and what stripping leaves is no larger, stripped for good, and says truly what it did.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as smallest from '../Web/tests/gallery-pictures.js';
import { makePictures } from '../Tests/oracles/tools.js';
import { readMetadata } from '../Web/gallery/photos/metadata.js';
import { inspectPhoto } from '../Web/gallery/photos/inspect.js';
import { stripMetadata } from '../Web/gallery/photos/strip/strip-metadata.js';
import { run } from './campaign.mjs';

const refusals = new Set(['damaged', 'unsupported', 'too-many-parts']);

function corpus() {
  const exif = smallest.tiff({ orientation: 6, takenAt: '2024:05:01 12:30:00', zone: '+02:00' });
  const inputs = [exif, smallest.jpeg({ exif }), smallest.png({ exif, isAnimated: true }), smallest.webp({ exif, isAnimated: true })];
  const folder = mkdtempSync(join(tmpdir(), 'hearth-pictures-'));
  try {
    makePictures(folder);
    for (const name of readdirSync(folder)) inputs.push(readFileSync(join(folder, name)));
  } catch (error) {
    console.error(`pictures: only the smallest are spoiled, for the others could not be made (${error})`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return inputs.filter(({ length }) => length < 60_000);
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function check(bytes) {
  const blob = new Blob([bytes]);
  const { facts, refusal } = await inspectPhoto(blob);
  assert.notEqual(refusal?.code, 'unreadable', 'reading the header failed in a way nobody thought of');
  if (facts) {
    assert.ok(Number.isInteger(facts.width) && facts.width > 0 && Number.isInteger(facts.height) && facts.height > 0);
    assert.ok(facts.orientation >= 1 && facts.orientation <= 8);
    const claim = readMetadata({ ...facts, type: facts.type, takenAt: facts.takenAt }, Date.now());
    assert.equal(claim.takenAt, facts.takenAt);
  }
  const outcome = await stripMetadata(blob);
  assert.ok(!outcome.kept.includes('unreadable'), 'stripping failed in a way nobody thought of');
  if (outcome.kept.some((word) => refusals.has(word))) assert.ok(outcome.blob === blob && outcome.removed.length === 0);
  assert.ok(outcome.blob.size <= blob.size + 64, 'stripping made it larger');
  if (outcome.blob !== blob) {
    const again = await stripMetadata(outcome.blob);
    assert.deepEqual([again.blob === outcome.blob, again.removed, again.kept], [true, [], outcome.kept], 'stripping twice is not stripping once');
  }
  return [facts?.format ?? refusal?.code, facts?.orientation, facts?.isAnimated, ...outcome.removed, '|', ...outcome.kept].join(' ');
}

await run({ name: 'pictures', corpus, check });
