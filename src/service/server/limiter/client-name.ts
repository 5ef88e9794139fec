import { createHmac } from 'node:crypto';
import type { LimitOf } from './rate-limit.ts';

/** Of a keyed hash, what names a client: 96 bits, so that a million of them are told apart. */
const NAME_CHARACTERS = 16;

/** What clients and networks are called where several nodes count them: a hash by the key of the nodes, and no address. */
export function clientNames(key: Buffer): (of: LimitOf, counted: string) => string {
  // Other words than those that the private log hashes: who sees both cannot tell which belong together.
  return (of, counted) =>
    createHmac('sha256', key).update(`limiter ${of} ${counted}`).digest('base64url').slice(0, NAME_CHARACTERS);
}
