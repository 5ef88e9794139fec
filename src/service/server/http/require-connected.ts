import { ProblemError } from './problem.ts';

/**
 * Rejects a request whose connection is lost, before any work. Bun closes a connection that receives a request while
 * another is pending (oven-sh/bun#38128), without an answer to either. Pipelined requests are read in the same turn of
 * the event loop, so the loss is visible one turn later.
 *
 * @throws ProblemError that no client receives
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
