/** Processor time of one round of the reference work on an idle machine of 2025, in milliseconds. */
const REFERENCE_MS = 7;
const MEMBERS = Array.from({ length: 20_000 }, (_, i) => ({ name: `member ${i}`, values: [i, i / 3, String(i)] }));

/**
 * How many times the processor time of an idle machine a piece of work takes here and now; at least 1. A processor that many
 * share takes two or three times as long for the same instructions, so that no bound in milliseconds alone can hold.
 */
export function machineSlowness(): number {
  const start = process.cpuUsage();
  for (let round = 0; round < 8; round++) JSON.parse(JSON.stringify(MEMBERS));
  const { user, system } = process.cpuUsage(start);
  return Math.max(1, (user + system) / 1000 / 8 / REFERENCE_MS);
}

/**
 * Processor time of a piece of work in milliseconds of an idle machine: the least of a few rounds, since who shares the
 * processor's caches slows some of them down and speeds none up. Above `enoughMs` it is divided by the slowness of this machine.
 *
 * @param enoughMs a round below this is the last one: what the caller wants to know is answered.
 */
export function cpuMs(work: () => unknown, enoughMs: number, rounds = 5): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && leastMs >= enoughMs; round++) {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    leastMs = Math.min(leastMs, (user + system) / 1000);
  }
  return leastMs < enoughMs ? leastMs : leastMs / machineSlowness();
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
