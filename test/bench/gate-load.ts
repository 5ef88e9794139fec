import { parseArgs } from 'node:util';
import { quantileOf } from './statistics.ts';

/** Requests through a web proxy that asks the gate. */
export interface GateLoad {
  /** Address of the proxy, such as `http://127.0.0.1:3128`. */
  readonly proxy: string;
  /** Requests that fall due in a second, whether or not earlier ones are answered. */
  readonly perSecond: number;
  readonly requests: number;
  /** Address of a page that passes; a number makes each request another one. */
  readonly passing: string;
  /** Host on a block list, which each tenth request is for. */
  readonly listed: string;
}

/** What became of a load. */
export interface GateLoadResult {
  /** Requests for the listed host, and how many of them were not held. */
  readonly listed: number;
  readonly listedPassed: number;
  /** Other requests, and how many of them got no page. */
  readonly others: number;
  readonly othersFailed: number;
  readonly requestsPerSecond: number;
  /** Time until the whole answer from when the request was due, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Share of the requests that are for the listed host: one of so many. */
const LISTED_EVERY = 10;

/** Requests under way at most; beyond, the proxy or this program is the bottleneck, and requests are late. */
const MAX_UNDER_WAY = 200;

/** Time for an answer, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Sends the requests on time. A held request is answered with 403. */
export async function driveGate({ proxy, perSecond, requests, passing, listed }: GateLoad): Promise<GateLoadResult> {
  const counts = { listed: 0, listedPassed: 0, others: 0, othersFailed: 0 };
  const delaysMs = new Float64Array(requests);
  const startMs = performance.now();
  let next = 0;

  async function send(n: number): Promise<void> {
    const isListed = n % LISTED_EVERY === 0;
    const url = isListed ? `http://${listed}/page-${n}` : `${passing}/page-${n}?q=${Bun.hash(String(n))}`;
    const headers = { accept: n % 3 === 0 ? 'image/png' : 'text/html' };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answered = async () => {
      const response = await fetch(url, { proxy, headers, signal });
      await response.arrayBuffer();
      return response.status;
    };
    const status = await answered().catch(() => 0);
    counts[isListed ? 'listed' : 'others']++;
    if (isListed && status !== 403) counts.listedPassed++;
    if (!isListed && status !== 200) counts.othersFailed++;
  }

  async function run(): Promise<void> {
    while (next < requests) {
      const n = next++;
      const dueMs = startMs + (n * 1000) / perSecond;
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await Bun.sleep(earlyMs);
      await send(n);
      delaysMs[n] = Math.max(0, performance.now() - dueMs);
    }
  }

  await Promise.all(Array.from({ length: MAX_UNDER_WAY }, run));
  const seconds = (performance.now() - startMs) / 1000;
  delaysMs.sort();
  return {
    ...counts,
    requestsPerSecond: requests / seconds,
    p50Ms: quantileOf(delaysMs, 0.5),
    p99Ms: quantileOf(delaysMs, 0.99),
  };
}

/**
 * `bun test/bench/gate-load.ts --proxy http://127.0.0.1:3128 --listed evil.example --passing http://good.example:8000`:
 * drives a proxy and its gate with 500 requests per second for a minute. Exits with 1 if a listed host passed. The page
 * that passes must be of a server of your own.
 */
if (import.meta.main) {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      ...{ proxy: text('http://127.0.0.1:3128'), listed: text(''), passing: text('') },
      ...{ rate: text('500'), seconds: text('60') },
    },
  });
  const { proxy, listed, passing, rate, seconds } = values;
  if (listed === '' || passing === '') throw new Error('--listed HOST and --passing URL are required');
  const load = { proxy, listed, passing, perSecond: Number(rate), requests: Number(rate) * Number(seconds) };
  const result = await driveGate(load);
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = result.listedPassed > 0 ? 1 : 0;
}
