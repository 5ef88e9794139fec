import { connect } from './connection.ts';

/** Requests that one client makes of one server. */
export interface Load {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly requests: number;
  /** How many fall due in a second, whether or not the ones before are answered; null: each as soon as a connection is free. */
  readonly perSecond: number | null;
  /** The body of the n-th request. */
  body(n: number): string;
}

/** What a load came to. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Ascending: milliseconds until the whole answer, counted from when the request was due, not from when it was sent. */
  readonly delaysMs: Float64Array;
}

/** @throws Error for any answer but 200. */
export async function runLoad({ port, path, connections, requests, perSecond, body }: Load): Promise<LoadResult> {
  const delaysMs = new Float64Array(requests);
  const opened = await Promise.all(Array.from({ length: connections }, () => connect(port)));
  const startedMs = performance.now();
  let next = 0;
  await Promise.all(
    opened.map(async (connection) => {
      while (next < requests) {
        const n = next++;
        const dueMs = perSecond === null ? performance.now() : startedMs + (n * 1000) / perSecond;
        const earlyMs = dueMs - performance.now();
        if (earlyMs > 0) await Bun.sleep(earlyMs);
        // A timer may go off a little early.
        const countedMs = Math.min(dueMs, performance.now());
        await connection.post(path, body(n));
        delaysMs[n] = performance.now() - countedMs;
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  for (const connection of opened) connection.close();
  return { requestsPerSecond: requests / seconds, delaysMs: delaysMs.sort() };
}
