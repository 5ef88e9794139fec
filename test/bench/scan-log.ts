import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** `bun test/bench/scan-log.ts [ROWS]`: what keeping a check costs, and what a page of the history costs after that. */
const rows = Number(process.argv[2] ?? 1_000_000);
const START_MS = Date.UTC(2026, 0, 1);
const DECISIONS = ['allow', 'allow', 'allow', 'allow', 'allow', 'allow', 'allow', 'warn', 'warn', 'block'] as const;

await using directory = temporaryDirectory();
const logger = createLogger('warn', (line) => process.stderr.write(line));
await using log = await openLocalLog({ dataDir: directory.path, access: 'serve', clock: systemClock, logger });

const templates = Array.from({ length: 2000 }, (_, i) =>
  sampleRecord({
    url: `https://www.site${Math.floor(i ** 2 / 2000)}.${['com', 'net', 'co.uk'][i % 3]}/a/page.html?id=${i}`,
  }),
);

function recordAt(index: number): CheckRecord {
  const template = templates[Math.floor(Math.random() * templates.length)] ?? sampleRecord();
  const atMs = START_MS + index * 1000;
  return {
    ...template,
    result: {
      ...template.result,
      decision: DECISIONS[index % DECISIONS.length] ?? 'allow',
      timestamp: new Date(atMs).toISOString(),
      request_id: createRequestId(atMs),
    },
  };
}

let next = 0;
for (const concurrency of [1, 10, 100, 1000]) {
  const waits: number[] = [];
  const count = Math.min(rows / 10, concurrency * 300);
  const started = performance.now();
  const worker = async () => {
    while (next < count) {
      const before = performance.now();
      await log.append(recordAt(next++));
      waits.push(performance.now() - before);
    }
  };
  next = 0;
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - started) / 1000;
  report(`append, ${concurrency} at a time`, `${Math.round(count / seconds)} rows/s`, waits);
}

for (let done = 0; done < rows; done += 1000) {
  await Promise.all(Array.from({ length: 1000 }, (_, i) => log.append(recordAt(done + i))));
}

const middleMs = START_MS + rows * 500;
for (const [name, filter] of Object.entries({
  'first page': {},
  blocked: { decision: 'block' },
  'a common suffix': { domain: 'com' },
  'a rare site': { domain: 'site1999.com' },
  'no such site': { domain: 'absent.example' },
  'a site, blocked': { domain: 'site0.com', decision: 'block' },
  'half of the time': { untilMs: middleMs },
  'a site in a minute': { domain: 'com', fromMs: middleMs, untilMs: middleMs + 60_000 },
} as const)) {
  for (const limit of [50, 500]) {
    const waits: number[] = [];
    let cursor: string | null = null;
    let items = 0;
    for (let page = 0; page < 50; page++) {
      const before = performance.now();
      const answer = await log.page({ ...EVERY_CHECK, ...filter, limit, cursor });
      waits.push(performance.now() - before);
      items += answer.items.length;
      cursor = answer.next_cursor;
    }
    report(`page of ${limit}: ${name}`, `${items} items`, waits);
  }
}
report(
  'stats',
  '',
  await Array.fromAsync({ length: 50 }, async () => {
    const before = performance.now();
    await log.stats();
    return performance.now() - before;
  }),
);

function report(name: string, what: string, waitsMs: number[]): void {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const quantile = (q: number) => (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(2);
  process.stdout.write(`${name.padEnd(32)} ${what.padStart(14)}  p50 ${quantile(0.5)} ms  p99 ${quantile(0.99)} ms\n`);
}
