/**
 * Processor time of a piece of work in milliseconds, which a busy machine does not lengthen as it does the time on the wall:
 * the least of a few rounds, since who shares the processor's caches slows some of them down and speeds none up.
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
  return leastMs;
}

/** Ten of the steps in which the kernel counts. */
const ROUND_MS = 40;

/** The same of work that is shorter than such a step: it is done over and over. */
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
