import { readPage } from '#src/html/read-page.ts';
import { pageProbe } from '#src/probes/page.ts';
import { openLoopback, target } from '#test/egress/loopback.ts';

/** Visits hostile servers, sixteen at a time, and prints how much memory that took: for `memory.test.ts`. */
const [port = '', ...ids] = process.argv.slice(2);
const VISITS_AT_A_TIME = 16;

await using egress = openLoopback([Number(port)], { connectionsPerAddress: VISITS_AT_A_TIME });
let visited = 0;

async function visitNext(): Promise<void> {
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    const context = {
      door: egress.open('public'),
      readPage: async (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => readPage(bytes, source),
      pageTimeoutMs: 1500,
    };
    const url = target(`http://127.0.0.1:${port}/${id}`);
    await pageProbe.observe(url, context, new AbortController().signal).catch(() => null);
    visited++;
  }
}

await Promise.all(Array.from({ length: VISITS_AT_A_TIME }, visitNext));
process.stdout.write(JSON.stringify({ visited, peakKiB: process.resourceUsage().maxRSS }));
