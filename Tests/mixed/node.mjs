// The mixed conversation's participant in node: each line of standard input is a wish, each line of standard output its answer.
// node --experimental-websocket Tests/mixed/node.mjs RELAY NAME [LINK]

import { createInterface } from 'node:readline';

import * as library from '../../Web/groupactivities/index.js';
import { Voice } from './voice.mjs';

const [relay, name, link] = process.argv.slice(2);
const voice = await Voice.join(library, { relay, name, link });
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await voice.fulfil(JSON.parse(line));
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit();
