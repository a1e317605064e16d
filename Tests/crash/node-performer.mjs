// A participant as a process of node: orders come as lines of JSON, and what there is to tell goes back as lines of JSON.

import { createInterface } from 'node:readline';

import { Performer } from './performer.mjs';

const performer = new Performer((told) => void process.stdout.write(`${JSON.stringify(told)}\n`));
for await (const line of createInterface({ input: process.stdin })) {
  /** @type {import('./performer.mjs').Order} */
  const order = JSON.parse(line);
  const obeyed = performer.obey(order);
  if (order.do !== 'leave') continue;
  await obeyed;
  break;
}
process.exit();
