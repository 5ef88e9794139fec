import type { Clock } from '#src/base/clock.ts';
import { type FailureCode, FailureError } from '#src/base/failure.ts';
import type { Door } from '#src/egress/egress.ts';
import type { Probe } from './probe.ts';
import { askRdap } from './rdap.ts';
import type { RegistrationFacts } from './registration-facts.ts';
import type { RegistryDirectory } from './registry-directory.ts';
import { registryName } from './registry-query.ts';
import { askWhois } from './whois.ts';

/** What the registry says of the registrable domain. */
export interface Registration extends RegistrationFacts {
  readonly source: 'rdap' | 'whois';
  /** The domain that was asked for. */
  readonly domain: string;
  /** Whole days since `createdAt` at the time of the look-up; null where that is unknown. */
  readonly ageDays: number | null;
}

/** What the probe needs from outside. */
export interface RegistrationContext {
  readonly door: Pick<Door, 'exchange' | 'fetchHop'>;
  readonly clock: Clock;
  readonly registries: RegistryDirectory;
}

const DAY_MS = 86_400_000;

/** Failures after which there is no point in asking another way. */
const FINAL: ReadonlySet<FailureCode> = new Set(['registration_not_found', 'aborted']);

/** Looks the registrable domain up at its registry: by RDAP, and where that fails by WHOIS. */
export const registrationProbe: Probe<Registration, RegistrationContext> = {
  applies: ({ registrableDomain }) => registrableDomain !== null && registryName(registrableDomain) !== null,

  async observe(target, context, signal) {
    const domain = registryName(target.registrableDomain ?? '');
    if (domain === null) throw new TypeError(`${target.host} has no domain that could be registered`);
    const { source, facts } = await ask(domain, context, signal);
    const created = facts.createdAt === null ? null : Date.parse(facts.createdAt);
    const ageDays = created === null ? null : Math.floor((context.clock.now() - created) / DAY_MS);
    return { source, domain, ...facts, ageDays };
  },
};

interface Answer {
  readonly source: Registration['source'];
  readonly facts: RegistrationFacts;
}

async function ask(
  domain: string,
  { door, clock, registries }: RegistrationContext,
  signal: AbortSignal,
): Promise<Answer> {
  const rdap = registries.rdap(domain);
  const whois = registries.whois(domain);
  const tools = { door, clock, timeoutMs: registries.timeoutMs };
  let failure = new FailureError('registration_no_server');
  if (rdap !== null) {
    try {
      return { source: 'rdap', facts: await askRdap(rdap, domain, tools, signal) };
    } catch (error) {
      if (!(error instanceof FailureError) || FINAL.has(error.code) || signal.aborted) throw error;
      failure = error;
    }
  }
  if (whois === null) throw failure;
  return { source: 'whois', facts: await askWhois(whois, domain, tools, signal) };
}
