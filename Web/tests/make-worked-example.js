// Writes Vectors/hearth/worked-example.json anew: node Web/tests/make-worked-example.js

import { mkdirSync, writeFileSync } from 'node:fs';

import { workedExample } from './support/worked-example.js';

const target = new URL('../../Vectors/hearth/worked-example.json', import.meta.url);
mkdirSync(new URL('.', target), { recursive: true });
writeFileSync(target, `${JSON.stringify(await workedExample(), null, 1)}\n`);
console.log(`Written: ${target.pathname}`);
