/**
 * Does the work, and returns the processor time of the longest turn that this thread's event loop took meanwhile, in
 * milliseconds: for so long, at least, a request would have waited. A busy host does not lengthen it.
 */
export async function longestTurn<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly longestMs: number }> {
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
