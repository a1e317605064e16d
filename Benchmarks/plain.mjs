// The same HTTP client as a participant's, without sealing and without a relay: what node itself costs against the same nginx as curl.
//
// In: {"do":"put","url":…,"files":[…]} {"do":"get","url":…,"names":[…]} {"do":"leave"}. Out: {"did":…}

import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

/** As many at a time as a participant has. */
const parallelLimit = 3;

/** @param {string[]} items @param {(item: string) => Promise<void>} work */
async function each(items, work) {
  const rest = [...items];
  await Promise.all(Array.from({ length: parallelLimit }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  }));
}

/** @param {any} order */
async function obey(order) {
  if (order.do === 'put') {
    await each(order.files, async (path) => {
      const response = await fetch(`${order.url}/${basename(path)}`, { method: 'PUT', body: await openAsBlob(path) });
      if (!response.ok) throw new Error(`PUT: ${response.status}`);
      await response.arrayBuffer();
    });
  } else if (order.do === 'get') {
    await each(order.names, async (name) => {
      const response = await fetch(`${order.url}/${name}`);
      if (!response.ok) throw new Error(`GET: ${response.status}`);
      await response.arrayBuffer();
    });
  }
  console.log(JSON.stringify({ did: order.do }));
  if (order.do === 'leave') process.exit(0);
}

for await (const line of createInterface({ input: process.stdin })) {
  await obey(JSON.parse(line)).catch((error) => {
    console.log(JSON.stringify({ failed: String(error) }));
    process.exit(1);
  });
}
