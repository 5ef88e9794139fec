/** How much longer work may take for twice as much; of work that is linear it is twice as long, and a little for memory. */
export const MOST_GROWTH = 2.5;

/** What takes less than this for {@link LENGTH} characters is far from the square of its length, in milliseconds. */
const SCREEN_MS = 25;

/** Characters of the shorter text. */
const LENGTH = 20_000;

/** A busy machine slows some measurements down, and speeds none up; code is compiled during the first. */
const ROUNDS = 3;

type Work = (length: number) => unknown;

async function threadMs(work: Work, length: number): Promise<number> {
  const start = process.threadCpuUsage();
  await work(length);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/**
 * How much processor time of this thread grows for twice the length: the least of a few measurements. 0 where it is too
 * short to matter.
 *
 * @param length characters of the shorter text
 */
export async function growthOf(work: Work, length = LENGTH): Promise<number> {
  if ((await threadMs(work, length)) < SCREEN_MS) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least > MOST_GROWTH; round++) {
    const once = await threadMs(work, length);
    if (once < SCREEN_MS) return 0;
    least = Math.min(least, (await threadMs(work, 2 * length)) / once);
  }
  return least;
}
