import { withTimeout } from '#src/core/base/with-timeout.ts';
import type { Endpoint } from './endpoint.ts';

/** Timeout of the system's resolver, in milliseconds. */
const LOOKUP_MS = 1000;

/**
 * Resolves a host that the operator configured with the system's resolver, as third-party clients do. Returns an empty
 * list if it does not resolve in time. Never used for the target of a check.
 */
export async function lookUpConfiguredHost(host: string, port: number): Promise<readonly Endpoint[]> {
  const { lookup } = await import('node:dns/promises');
  const found = await withTimeout(lookup(host, { all: true }), LOOKUP_MS).catch(() => []);
  return found.map(({ address }) => ({ address, port }));
}
