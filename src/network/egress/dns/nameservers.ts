import { readFile } from 'node:fs/promises';
import type { Clock } from '#src/core/base/clock.ts';
import { type Endpoint, parseEndpoint } from '../endpoint.ts';

const RESOLVER_FILE = '/etc/resolv.conf';
/** How long the file is believed; a laptop changes its network. */
const REREAD_MS = 10_000;
/** What the C library asks where the file names nobody (resolv.conf(5)). */
const FALLBACK: Endpoint = { address: '127.0.0.1', port: 53 };
/** The C library's limit (MAXNS). */
const MAX_SERVERS = 3;

/** The resolvers to ask: the configured ones, else those of the system's resolver file, read when first needed. */
export function createNameservers(configured: readonly Endpoint[], clock: Clock): () => Promise<readonly Endpoint[]> {
  if (configured.length > 0) return () => Promise.resolve(configured);
  let known: readonly Endpoint[] = [FALLBACK];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonicMs() - readAtMs >= REREAD_MS) {
      readAtMs = clock.monotonicMs();
      // A machine without the file is asked about as the C library would: at its own address.
      known = parseResolverFile(await readFile(RESOLVER_FILE, 'utf8').catch(() => ''));
    }
    return known;
  };
}

/** The name servers of a resolv.conf(5), at most three; one at this machine where it names none. */
export function parseResolverFile(text: string): readonly Endpoint[] {
  const servers = text
    .split('\n')
    .map((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? '')
    .map((address) => parseEndpoint(address, 53))
    .filter((server) => typeof server !== 'string');
  return servers.length > 0 ? servers.slice(0, MAX_SERVERS) : [FALLBACK];
}
