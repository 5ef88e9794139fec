import type { RegistrationFacts } from './registration-facts.ts';

/** What the registry says of the registrable domain. */
export interface Registration extends RegistrationFacts {
  /** How the registry was asked. */
  readonly source: 'rdap' | 'whois';
  /** The domain that was asked for. */
  readonly domain: string;
  /** Whole days since `createdAt` at the time of the look-up; null where that is unknown. */
  readonly ageDays: number | null;
}
