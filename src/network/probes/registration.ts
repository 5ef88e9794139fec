import type { Clock } from '#src/core/base/clock.ts';
import { type FailureCode, FailureError } from '#src/core/base/failure.ts';
import type { Door } from '#src/network/egress/egress-client.ts';
import type { RegistryDirectory } from '#src/network/registry/directory.ts';
import { registryName } from '#src/network/registry/query.ts';
import type { RegistryAnswer } from '#src/network/registry/registration.ts';
import type { Probe } from './probe.ts';
import { askRdap } from './rdap.ts';
import { type RegistryCourtesy, RegistryLimitError } from './registry-courtesy.ts';
import { askWhois } from './whois.ts';

/** What the probe needs from outside. */
export interface RegistrationContext {
  readonly door: Pick<Door, 'exchange' | 'fetchHop'>;
  readonly clock: Clock;
  readonly registries: RegistryDirectory;
  readonly courtesy: RegistryCourtesy;
}

/** Failures after which there is no point in asking another way. */
const FINAL: ReadonlySet<FailureCode> = new Set(['registration_not_found', 'aborted']);

/** Looks the registrable domain up at its registry: by RDAP, and where that fails by WHOIS. */
export const registrationProbe: Probe<RegistryAnswer, RegistrationContext> = {
  applies: ({ host }) => host.registrable !== null && registryName(host.registrable) !== null,

  async observe({ host }, context, signal) {
    const domain = registryName(host.registrable ?? '');
    if (domain === null) throw new TypeError(`${host.text} has no domain that could be registered`);
    return await context.courtesy.share(domain, signal, () => ask(domain, context, signal));
  },
};

/** Asks each server that there is, until one answers. A server that asked to be left alone is passed over. */
async function ask(
  domain: string,
  { door, clock, registries, courtesy }: RegistrationContext,
  signal: AbortSignal,
): Promise<RegistryAnswer> {
  const tools = { door, clock, timeoutMs: registries.timeoutMs };
  const rdap = registries.rdap(domain);
  const whois = registries.whois(domain);
  const ways = [
    rdap !== null && { source: 'rdap' as const, server: rdap, look: () => askRdap(rdap, domain, tools, signal) },
    whois && { source: 'whois' as const, server: whois.host, look: () => askWhois(whois, domain, tools, signal) },
  ];
  let failure = new FailureError('registration_no_server');
  for (const way of ways) {
    if (!way) continue;
    // The time for asking begins when it is our turn: a queue of our own must not look like a slow registry.
    using _place = await courtesy.enter(way.server, signal);
    if (courtesy.isResting(way.server)) {
      failure = new FailureError('registration_refused', `${way.server} is left alone for a while, as it wished`);
      continue;
    }
    try {
      return { source: way.source, domain, ...(await way.look()) };
    } catch (error) {
      if (error instanceof RegistryLimitError) courtesy.rest(way.server, error.restMs);
      if (!(error instanceof FailureError) || FINAL.has(error.code) || signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}
