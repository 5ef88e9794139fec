/** Processor time of one round of the reference work on an idle machine of 2025, in milliseconds. */
const REFERENCE_MS = 7;
/** Rounds of the reference: ten times the steps in which the kernel counts. */
const REFERENCE_ROUNDS = 8;

/**
 * How many times the processor time of an idle machine a piece of work takes here and now; at least 1. A processor that many
 * share takes two or three times as long for the same instructions, so that no bound in milliseconds alone can hold.
 */
export function machineSlowness(): number {
  const members = Array.from({ length: 20_000 }, (_, i) => ({ name: `member ${i}`, values: [i, i / 3, String(i)] }));
  const start = process.cpuUsage();
  for (let round = 0; round < REFERENCE_ROUNDS; round++) JSON.parse(JSON.stringify(members));
  const { user, system } = process.cpuUsage(start);
  return Math.max(1, (user + system) / 1000 / REFERENCE_ROUNDS / REFERENCE_MS);
}

/**
 * Processor time of a piece of work in milliseconds of an idle machine: that of {@link leastCpuMs}, which is divided by the
 * slowness of this machine if it is above `enoughMs`.
 */
export function cpuMs(work: () => unknown, enoughMs: number, rounds = 5): number {
  const leastMs = leastCpuMs(work, enoughMs, rounds);
  return leastMs < enoughMs ? leastMs : leastMs / machineSlowness();
}

/**
 * Processor time of a piece of work in milliseconds: the least of a few rounds, since who shares the processor's caches slows
 * some of them down and speeds none up. For ratios of two such times.
 *
 * @param enoughMs a round below this is the last one: what the caller wants to know is answered.
 */
export function leastCpuMs(work: () => unknown, enoughMs: number, rounds = 5): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && leastMs >= enoughMs; round++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    leastMs = Math.min(leastMs, (user + system) / 1000);
  }
  return leastMs;
}

/** Ten of the steps in which the kernel counts. */
const ROUND_MS = 40;

/** The same of work that is shorter than such a step: it is done over and over. For ratios of two such times. */
export function shortCpuMs(work: () => unknown): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    let times = 0;
    let tookMs = 0;
    while (tookMs < ROUND_MS) {
      work();
      times++;
      const { user, system } = process.cpuUsage(start);
      tookMs = (user + system) / 1000;
    }
    leastMs = Math.min(leastMs, tookMs / times);
  }
  return leastMs;
}
