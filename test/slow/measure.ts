/** Time on the wall of two rounds, the shorter: what a search goes by, where a wrong step costs little. */
export async function roughMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 2; round++) {
    const startMs = performance.now();
    await work();
    least = Math.min(least, performance.now() - startMs);
  }
  return least;
}

/** Many of the steps in which the kernel counts. */
const ROUND_MS = 40;
const ROUNDS = 8;

/**
 * Processor time of this process for one time of the work, in milliseconds: the least of a few rounds, since who shares the
 * processor's caches slows some of them down and speeds none up.
 */
export async function exactMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    let [times, tookMs] = [0, 0];
    while (tookMs < ROUND_MS) {
      await work();
      times++;
      const { user, system } = process.cpuUsage(start);
      tookMs = (user + system) / 1000;
    }
    least = Math.min(least, tookMs / times);
  }
  return least;
}
