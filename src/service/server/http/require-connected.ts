import { ProblemError } from './problem.ts';

/**
 * Ends a request that nobody can be answered for, before anything is done for it. Bun closes a connection on which a
 * request comes while another waits for its answer (oven-sh/bun#38128), without a byte to either. What was written along
 * with a request is read in the same turn of the event loop as the request itself, so a turn later it is known.
 *
 * @throws ProblemError that nobody is left to read
 */
export async function requireConnected({ request }: { readonly request: Request }): Promise<void> {
  await nextTurn();
  if (request.signal.aborted) {
    throw new ProblemError({ code: 'invalid_body', detail: 'The connection ended before the answer was begun.' });
  }
}

let waiting: (() => void)[] = [];

/**
 * Waits for the next turn of the event loop. Requests of one turn resume together, so that they go through each stage of a check
 * together, while its code and tables are in the processor's caches.
 */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resume);
  });
}

function resume(): void {
  const together = waiting;
  waiting = [];
  for (const resolve of together) resolve();
}
