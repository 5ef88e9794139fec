#!/usr/bin/env bun
/** A program that answers like a browser over its pipes, and does what its name says besides. */
import { createReadStream, writeSync } from 'node:fs';

/** Commands to a browser that starts. */
const STARTING = ['Browser.getVersion', 'Target.setDiscoverTargets'];

const [, , kind] = process.argv;
if (kind === 'fails') process.exit(3);
// A process of the group, as a browser has many.
Bun.spawn(['sleep', '1000'], { stdio: ['ignore', 'ignore', 'ignore'] });
createReadStream('', { fd: 3 }).on('data', (chunk) => {
  for (const text of String(chunk).split('\0').filter(Boolean)) {
    const { id, method } = JSON.parse(text);
    if (kind === 'stubborn' && method === 'Browser.close') continue;
    if (kind === 'hangs' && !STARTING.includes(method)) continue;
    if (kind === 'garbles' && !STARTING.includes(method)) writeSync(4, 'no message\0');
    writeSync(4, `${JSON.stringify({ id, result: { product: 'Stub/1' } })}\0`);
    if (method === 'Browser.close') process.exit(0);
  }
});
