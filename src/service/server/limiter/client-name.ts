import { createHmac } from 'node:crypto';
import type { LimitOf } from './rate-limit.ts';

/** Characters of the hash that identifies a client: 96 bits, which keep a million clients apart. */
const NAME_CHARACTERS = 16;

/** Returns names of clients and networks for counting across nodes: keyed hashes, not addresses. */
export function clientNames(key: Buffer): (of: LimitOf, counted: string) => string {
  // A different prefix than in the private log, so that the hashes of both cannot be linked.
  return (of, counted) =>
    createHmac('sha256', key).update(`limiter ${of} ${counted}`).digest('base64url').slice(0, NAME_CHARACTERS);
}
