import { createRandom } from '#test/support/random.ts';

/** What may happen to a service on a bad day. */
export const FAULT_KINDS = [
  'killed',
  'restarted',
  'disk full',
  'resolver dead',
  'resolver silent',
  'clock ahead',
  'clock behind',
  'started ahead of time',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** Those that end a life. */
export const ENDING: ReadonlySet<FaultKind> = new Set(['killed', 'restarted', 'started ahead of time']);

export interface PlannedFault {
  readonly kind: FaultKind;
  /** Seconds after the faults begin. */
  readonly atSeconds: number;
  readonly lastsSeconds: number;
}

/** A run, as one seed makes it. */
export interface SoakPlan {
  readonly warmUpSeconds: number;
  /** In order, one after the other. */
  readonly faults: readonly PlannedFault[];
  /** For how long the load goes on once the faults begin. */
  readonly faultySeconds: number;
  /** Client addresses that come in a second: a million in the time that an hour has for it, gaps of the service aside. */
  readonly addressesPerSecond: number;
  /** Checks that are asked for in a second, good and bad. */
  readonly checksPerSecond: number;
}

const ADDRESSES_PER_SECOND = 1_000_000 / 3200;
const CHECKS_PER_SECOND = 8;
const MAX_SLOT_SECONDS = 100;
const MAX_FAULT_SECONDS = 30;
/** Share of a fault's slot that it may last; in the rest the service is well again, or should be. */
const LASTING_SHARE = 0.4;

/**
 * Plans a run: every kind of fault at least once, at moments and in an order that follow from the seed. What ends the
 * process happens in the first half, so that the last life is long enough to tell whether it grows.
 */
export function planSoak(minutes: number, seed: number): SoakPlan {
  const random = createRandom(seed);
  const totalSeconds = minutes * 60;
  const warmUpSeconds = Math.min(60, totalSeconds / 10);
  // What comes before and after: the wait of a client beside others, and the end.
  const faultySeconds = totalSeconds - warmUpSeconds - Math.min(120, totalSeconds / 4);
  const rounds = Math.ceil(faultySeconds / FAULT_KINDS.length / MAX_SLOT_SECONDS);
  const slots = rounds * FAULT_KINDS.length;
  const slotSeconds = faultySeconds / slots;
  const kinds = Array.from({ length: rounds }, () => FAULT_KINDS).flat();
  const ending = kinds.filter((kind) => ENDING.has(kind));
  const lasting = shuffled(
    kinds.filter((kind) => !ENDING.has(kind)),
    random.below,
  );
  const firstHalf = Math.max(ending.length, Math.floor(slots / 2)) - ending.length;
  const order = [...shuffled([...ending, ...lasting.slice(0, firstHalf)], random.below), ...lasting.slice(firstHalf)];
  return {
    warmUpSeconds,
    faultySeconds,
    faults: order.map((kind, slot) => ({
      kind,
      atSeconds: (slot + random.next() * (1 - LASTING_SHARE) * 0.5) * slotSeconds,
      lastsSeconds: Math.min(MAX_FAULT_SECONDS, (0.5 + random.next() / 2) * LASTING_SHARE * slotSeconds),
    })),
    addressesPerSecond: ADDRESSES_PER_SECOND,
    checksPerSecond: CHECKS_PER_SECOND,
  };
}

function shuffled<T>(items: readonly T[], below: (bound: number) => number): T[] {
  return items
    .map((item) => [below(2 ** 32), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}
