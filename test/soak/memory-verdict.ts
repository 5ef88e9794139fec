import type { MemorySample } from './watch.ts';

/** No life may hold more than this; the service needs some 130 MiB when it starts. */
const CEILING_MIB = 512;
/** A life this young still fills its caches and compiles what it runs often. */
const GROWING_UP_MS = 120_000;
/** What the last life may grow by from its first third, once grown up, to its last. */
const GROWTH_MIB = 32;
/** Fewer samples, of one a second, tell no growth. */
const ENOUGH_SAMPLES = 180;

/** What the samples of a run say. */
export interface MemoryVerdict {
  readonly mostMib: number;
  /** From the first third of the last life to its last third, by their medians; null where it was too short to tell. */
  readonly growthMib: number | null;
  readonly problems: readonly string[];
}

export function judgeMemory(samples: readonly MemorySample[]): MemoryVerdict {
  const mostMib = samples.reduce((most, { mib }) => Math.max(most, mib), 0);
  const last = samples.at(-1)?.life;
  const life = samples.filter((sample) => sample.life === last);
  const grown = life.filter(({ atMs }) => atMs - (life[0]?.atMs ?? 0) >= GROWING_UP_MS).map(({ mib }) => mib);
  const third = Math.floor(grown.length / 3);
  const growthMib = grown.length < ENOUGH_SAMPLES ? null : median(grown.slice(-third)) - median(grown.slice(0, third));
  const problems = [
    ...(mostMib > CEILING_MIB ? [`it held ${mostMib.toFixed(0)} MiB, more than ${CEILING_MIB}`] : []),
    ...(growthMib !== null && growthMib > GROWTH_MIB ? [`its last life grew by ${growthMib.toFixed(0)} MiB`] : []),
  ];
  return { mostMib, growthMib, problems };
}

/** The middle one; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
