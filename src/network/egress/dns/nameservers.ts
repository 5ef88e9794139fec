import { readFile } from 'node:fs/promises';
import type { Clock } from '#src/core/base/clock.ts';
import { type Endpoint, parseEndpoint } from '../endpoint.ts';

const RESOLVER_FILE = '/etc/resolv.conf';
/** Time after which the file is read again, because a host may change networks. */
const REREAD_MS = 10_000;
/** Default server of the C library if the file names none (resolv.conf(5)). */
const FALLBACK: Endpoint = { address: '127.0.0.1', port: 53 };
/** Limit of the C library (MAXNS). */
const MAX_SERVERS = 3;

/** Returns the configured resolvers, or those of the system's resolver file, which is read on first use. */
export function createNameservers(configured: readonly Endpoint[], clock: Clock): () => Promise<readonly Endpoint[]> {
  if (configured.length > 0) return () => Promise.resolve(configured);
  let known: readonly Endpoint[] = [FALLBACK];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonicMs() - readAtMs >= REREAD_MS) {
      readAtMs = clock.monotonicMs();
      // Without the file, the C library queries the local host.
      known = parseResolverFile(await readFile(RESOLVER_FILE, 'utf8').catch(() => ''));
    }
    return known;
  };
}

/** Parses the name servers of a resolv.conf(5), at most three; the local host if it names none. */
export function parseResolverFile(text: string): readonly Endpoint[] {
  const servers = text
    .split('\n')
    .map((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? '')
    .map((address) => parseEndpoint(address, 53))
    .filter((server) => typeof server !== 'string');
  return servers.length > 0 ? servers.slice(0, MAX_SERVERS) : [FALLBACK];
}
