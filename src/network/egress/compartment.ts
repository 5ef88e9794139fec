import type { Clock } from '#src/core/base/clock.ts';
import { createGate, createKeyedGate, type Gate, type KeyedGate } from './budget/semaphore.ts';
import { createDnsShelves, type DnsShelves } from './dns/shelves.ts';
import type { EgressSettings } from './settings.ts';

/** What the checks of one compartment share on their way to the network, and the checks of another neither see nor wait for. */
export interface EgressCompartment {
  /** DNS answers, kept and under way. */
  readonly answers: DnsShelves;
  /** DNS questions under way. */
  readonly questions: Gate;
  /** Connections to each site at each address. */
  readonly addresses: KeyedGate;
}

/** How much of one compartment may be under way. */
export type EgressBounds = Pick<EgressSettings, 'dns_concurrency' | 'connections_per_address'>;

const WAITING_QUESTIONS = 1024;
const WAITING_PER_ADDRESS = 100;

/** A compartment that nobody has used yet. */
export function createEgressCompartment(bounds: EgressBounds, clock: Clock): EgressCompartment {
  return {
    answers: createDnsShelves(clock),
    questions: createGate(bounds.dns_concurrency, WAITING_QUESTIONS),
    addresses: createKeyedGate(bounds.connections_per_address, WAITING_PER_ADDRESS),
  };
}
