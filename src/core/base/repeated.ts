/** A periodic task. */
export interface Repeated {
  /** Runs the task once more; resolves when it and all earlier runs are done. */
  now(): Promise<void>;
  /** Stops the task; resolves when no run is in progress. */
  stop(): Promise<void>;
}

/**
 * Runs work every `everyMs` and on request, never concurrently. Work that takes longer than `everyMs` is not queued.
 * The timer does not keep the process alive.
 *
 * @param work must not reject
 */
export function repeated(everyMs: number, work: () => Promise<void>): Repeated {
  let working = Promise.resolve();
  let pending = 0;
  const now = () => {
    pending++;
    working = working.then(work).then(() => void pending--);
    return working;
  };
  const timer = setInterval(() => {
    if (pending === 0) void now();
  }, everyMs);
  timer.unref();
  return {
    now,
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
