import { setImmediate } from 'node:timers/promises';

/**
 * Creates a function that yields between pieces of long work. Each caller resumes in its own round of the event loop,
 * so that all other work is served between two pieces.
 */
export function oncePerRound(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
