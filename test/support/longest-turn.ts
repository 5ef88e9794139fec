import { machineSlowness } from './cpu-time.ts';

interface Turns<T> {
  readonly result: T;
  readonly longestMs: number;
}

/**
 * Does the work, and returns the processor time of the longest turn that this thread's event loop took meanwhile, in
 * milliseconds: for so long, at least, a request would have waited.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<Turns<T>> {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 1);
  try {
    const result = await work();
    return { result, longestMs };
  } finally {
    clearInterval(timer);
  }
}

const ROUNDS = 3;

/**
 * {@link longestTurn} of work that can be repeated, until a round is below `limitMs`: another process on the same core makes
 * some rounds longer, and none shorter. What stays above it is in milliseconds of an idle machine.
 */
export async function repeatedLongestTurn<T>(limitMs: number, work: () => Promise<T>): Promise<Turns<T>> {
  let turns = await longestTurn(work);
  for (let round = 1; round < ROUNDS && turns.longestMs >= limitMs; round++) turns = await longestTurn(work);
  return turns.longestMs < limitMs ? turns : { ...turns, longestMs: turns.longestMs / machineSlowness() };
}
