import { parseArgs } from 'node:util';
import { searchWorst } from '#test/slow/search.ts';

/**
 * Searches for the slowest URL, body and page, and prints what each costs: `bun test/bench/slow-input.ts`, with `--json`
 * as one line.
 */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } }, strict: true });
const { ordinaryMs, ...worst } = await searchWorst({ seed: 1, climbs: 4, steps: 300, pageSteps: 40 });

const rounded = (ms: number) => Number(ms.toFixed(2));
if (values.json) {
  const figures = {
    worst_url_ms: rounded(worst.url.ms),
    worst_body_ms: rounded(worst.body.ms),
    worst_page_thread_ms: rounded(worst.pageInThread.ms),
    worst_page_serving_ms: rounded(worst.pageServed.ms),
    ordinary_ms: rounded(ordinaryMs),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} else {
  for (const [kind, { ms, input }] of Object.entries(worst)) {
    process.stdout.write(
      `${kind}: ${ms.toFixed(2)} ms of processor time for ${JSON.stringify(input.slice(0, 200))}…\n`,
    );
  }
  process.stdout.write(`an ordinary check: ${ordinaryMs.toFixed(2)} ms\n`);
}
