/** Pause between two requests, in milliseconds. */
const PAUSE_MS = 20;

/** Does some work and asks for `/livez` meanwhile; returns how long each answer took, ascending, in milliseconds. */
export async function watchLive<T>(
  url: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly livesMs: Float64Array }> {
  const delaysMs: number[] = [];
  let hasEnded = false;
  const watch = async () => {
    do {
      const startedMs = performance.now();
      await (await fetch(`${url}/livez`)).arrayBuffer();
      delaysMs.push(performance.now() - startedMs);
      await Bun.sleep(PAUSE_MS);
    } while (!hasEnded);
  };
  const watched = watch();
  const result = await work().finally(() => {
    hasEnded = true;
  });
  await watched;
  return { result, livesMs: Float64Array.from(delaysMs).sort() };
}
