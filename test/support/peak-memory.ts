/**
 * Peak resident memory of a process since it began to run its program, in bytes; 0 if it has ended. Read from Linux itself:
 * what `getrusage` counts for a child includes what its parent held when it started it.
 */
export async function peakRssBytes(process: number | 'self'): Promise<number> {
  const status = await Bun.file(`/proc/${process}/status`)
    .text()
    .catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
