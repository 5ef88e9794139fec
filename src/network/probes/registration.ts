import type { Clock } from '#src/core/base/clock.ts';
import { type FailureCode, FailureError } from '#src/core/base/failure.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import type { RegistryDirectory } from '#src/network/registry/directory.ts';
import type { RegistryAnswer } from '#src/network/registry/registration-facts.ts';
import { registryName } from '#src/network/registry/suffix-server.ts';
import type { Probe } from './observations.ts';
import { queryRdap } from './rdap.ts';
import { RegistryLimitError, type RegistryThrottle } from './registry-throttle.ts';
import { queryWhois } from './whois.ts';

/** Dependencies of the probe. */
export interface RegistrationContext {
  readonly egressClient: Pick<EgressClient, 'exchange' | 'fetchHop'>;
  readonly clock: Clock;
  readonly registries: RegistryDirectory;
  readonly registryThrottle: RegistryThrottle;
}

/** Failures after which no other server is queried. */
const FINAL: ReadonlySet<FailureCode> = new Set(['registration_not_found', 'aborted']);

/** Looks up the registrable domain at its registry: by RDAP, and by WHOIS if RDAP fails. */
export const registrationProbe: Probe<RegistryAnswer, RegistrationContext> = {
  applies: ({ host }) => host.registrable !== null && registryName(host.registrable) !== null,

  async observe({ host }, context, signal) {
    const domain = registryName(host.registrable ?? '');
    if (domain === null) throw new TypeError(`${host.text} has no registrable domain`);
    return await context.registryThrottle.share(domain, signal, () => ask(domain, context, signal));
  },
};

/** Queries each known server until one answers. Skips paused servers. */
async function ask(
  domain: string,
  { egressClient, clock, registries, registryThrottle }: RegistrationContext,
  signal: AbortSignal,
): Promise<RegistryAnswer> {
  const tools = { egressClient, clock, timeoutMs: registries.timeoutMs };
  const rdap = registries.rdap(domain);
  const whois = registries.whois(domain);
  const ways = [
    rdap !== null && { source: 'rdap' as const, server: rdap, look: () => queryRdap(rdap, domain, tools, signal) },
    whois && { source: 'whois' as const, server: whois.host, look: () => queryWhois(whois, domain, tools, signal) },
  ];
  let failure = new FailureError('registration_no_server');
  for (const way of ways) {
    if (!way) continue;
    // The time limit starts after the queue, so that our own queue does not look like a slow registry.
    using _permit = await registryThrottle.acquire(way.server, signal);
    if (registryThrottle.isPaused(way.server)) {
      failure = new FailureError('registration_refused', `${way.server} is not queried for a while, as it requested`);
      continue;
    }
    try {
      return { source: way.source, domain, ...(await way.look()) };
    } catch (error) {
      if (error instanceof RegistryLimitError) registryThrottle.pause(way.server, error.pauseMs);
      if (!(error instanceof FailureError) || FINAL.has(error.code) || signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}
