import { createServer } from 'node:net';
import { ANY_PORT, listen } from './listen.ts';

/** A port on which nothing listened a moment ago, for programs that cannot pick one. */
export async function freePort(): Promise<number> {
  await using listening = await listen(createServer(), ANY_PORT);
  return listening.port;
}
