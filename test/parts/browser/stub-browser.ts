#!/usr/bin/env bun
/** A program that answers like a browser over its pipes, and does what its name says besides. */
import { createReadStream, writeSync } from 'node:fs';

const [, , kind] = process.argv;
if (kind === 'fails') process.exit(3);
// A process of the group, as a browser has many.
Bun.spawn(['sleep', '1000'], { stdio: ['ignore', 'ignore', 'ignore'] });
createReadStream('', { fd: 3 }).on('data', (chunk) => {
  for (const text of String(chunk).split('\0').filter(Boolean)) {
    const { id, method } = JSON.parse(text);
    if (kind === 'silent' || (kind === 'stubborn' && method === 'Browser.close')) continue;
    writeSync(4, `${JSON.stringify({ id, result: { product: 'Stub/1' } })}\0`);
    if (method === 'Browser.close') process.exit(0);
  }
});
