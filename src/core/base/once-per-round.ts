import { setImmediate } from 'node:timers/promises';

/**
 * Long work in pieces: whoever waits for this before each piece is let on in a round of the event loop that nobody else of
 * them has, however many there are, and between two rounds all others are served.
 */
export function oneARound(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
