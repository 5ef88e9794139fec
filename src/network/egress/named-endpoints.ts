import { lookup } from 'node:dns/promises';
import { answeredWithin } from '#src/core/base/with-timeout.ts';
import type { Endpoint } from './endpoint.ts';

/** How long this machine's resolver is waited for. */
const LOOKUP_MS = 1000;

/**
 * Where a client that is not ours will connect to for a host that the operator named: its addresses as this machine's own
 * resolver knows them, none where it knows none in time. Nothing that a check is about is looked up so.
 */
export async function namedEndpoints(host: string, port: number): Promise<readonly Endpoint[]> {
  const found = await answeredWithin(lookup(host, { all: true }), LOOKUP_MS).catch(() => []);
  return found.map(({ address }) => ({ address, port }));
}
