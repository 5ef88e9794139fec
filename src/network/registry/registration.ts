import { DAY_MS } from '#src/core/base/clock.ts';
import type { RegistrationFacts } from './registration-facts.ts';

/** Answer of a registry for the registrable domain. */
export interface RegistryAnswer extends RegistrationFacts {
  /** Protocol of the query. */
  readonly source: 'rdap' | 'whois';
  /** The domain that was asked for. */
  readonly domain: string;
}

/** The registration at the time of a check. */
export interface Registration extends RegistryAnswer {
  /** Whole days since `createdAt`; null if that is unknown. */
  readonly ageDays: number | null;
}

/** Derives the registration at a given time from an answer. */
export function registrationAt(answer: RegistryAnswer, nowMs: number): Registration {
  const { createdAt } = answer;
  return { ...answer, ageDays: createdAt === null ? null : Math.floor((nowMs - Date.parse(createdAt)) / DAY_MS) };
}
