// Runs a check over spoiled inputs for a while, and keeps the first input that it does not bear: node … --seconds N [--seed N] [--artifacts DIRECTORY] [FILE …].

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { Mutation } from './mutation.mjs';

/** One input may not take more of the processor's time: a hostile file must not stop a page. */
const inputLimitMilliseconds = 2_000;
const corpusLimit = 4_000;

/**
 * @param {object} campaign
 * @param {string} campaign.name
 * @param {() => Uint8Array[]} campaign.corpus
 * @param {(bytes: Uint8Array<ArrayBuffer>) => Promise<string | undefined> | string | undefined} campaign.check throws when the input is not borne; else may say in a word what became of it, of which new ones are
 *   interesting
 */
export async function run({ name, corpus, check }) {
  const { values, positionals } = parseArgs({
    options: { seconds: { type: 'string', default: '20' }, seed: { type: 'string' }, artifacts: { type: 'string', default: 'artifacts/fuzzing' } },
    allowPositionals: true,
  });
  for (const path of positionals) await check(Uint8Array.from(readFileSync(path)));
  if (positionals.length > 0) return;
  const seed = Number(values.seed ?? Date.now() % 2 ** 32);
  const mutation = new Mutation(seed);
  const inputs = corpus();
  const words = new Set();
  const end = performance.now() + Number(values.seconds) * 1_000;
  let count = 0;
  while (performance.now() < end) {
    const input = count < inputs.length && count < corpusLimit ? Uint8Array.from(inputs[count]) : mutation.spoil(mutation.pick(inputs), inputs);
    count += 1;
    const started = process.cpuUsage();
    try {
      const word = await check(input);
      const { user, system } = process.cpuUsage(started);
      if (user + system > inputLimitMilliseconds * 1_000) throw new Error(`it took ${Math.round((user + system) / 1_000)} ms`);
      // What leads somewhere new is spoiled further.
      if (word !== undefined && !words.has(word) && inputs.length < corpusLimit) {
        words.add(word);
        inputs.push(input);
      }
    } catch (error) {
      mkdirSync(values.artifacts, { recursive: true });
      const path = join(values.artifacts, `${name}-${createHash('sha256').update(input).digest('hex').slice(0, 24)}`);
      writeFileSync(path, input);
      console.error(error);
      console.log(`${name}: FOUND something after ${count} executions (seed ${seed}), kept in ${path}`);
      process.exitCode = 1;
      return;
    }
  }
  console.log(`${name}: ${count} executions in ${values.seconds} s, nothing found (seed ${seed})`);
}
