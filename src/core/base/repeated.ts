/** Work that is repeated. */
export interface Repeated {
  /** Does the work once more; resolves when all that was asked for before is done, too. */
  now(): Promise<void>;
  /** Ends the repetition; resolves when nothing of it is under way. */
  stop(): Promise<void>;
}

/** Does work every `everyMs` and whenever it is asked for, never twice at once. It keeps no process alive. */
export function repeated(everyMs: number, work: () => Promise<void>): Repeated {
  let working = Promise.resolve();
  const now = () => {
    working = working.then(work);
    return working;
  };
  const timer = setInterval(() => void now(), everyMs);
  timer.unref();
  return {
    now,
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
