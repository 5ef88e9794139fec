/** Ends by itself, should nobody end it. */
const LONGEST_SECONDS = 300;

/** Programs that use all the processor time they get, until they are disposed of. */
export function busyLoops(count: number): AsyncDisposable {
  const code = `for (const end = Date.now() + ${LONGEST_SECONDS * 1000}; Date.now() < end; );`;
  const loops = Array.from({ length: count }, () =>
    Bun.spawn([process.execPath, '-e', code], { stdio: ['ignore', 'ignore', 'ignore'] }),
  );
  return {
    async [Symbol.asyncDispose]() {
      for (const loop of loops) loop.kill('SIGKILL');
      await Promise.all(loops.map(({ exited }) => exited));
    },
  };
}
