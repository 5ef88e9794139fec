import { Database } from 'bun:sqlite';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { blockOf } from '#src/checks/store/domains/block.ts';
import { indexBlock } from '#src/checks/store/domains/index-block.ts';
import type { MEASURES } from '#src/checks/store/file/schema.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { ANSWER_TIME_BUCKETS, PROBABILITY_BUCKETS } from '#src/checks/store/write/buckets.ts';
import { periodStart } from '#src/checks/store/write/counters.ts';
import { DAY_MS, HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { urlOf } from './load-urls.ts';

/** Checks that are logged as such; the others are copies of them that SQLite makes, which takes a tenth of the time. */
const TEMPLATES = 20_000;
const DAYS = 60;

/** Checked once, before everything else. */
export const ONCE_DOMAIN = 'once.example';

/** Makes a public log of `checks` checks over two months, with its index of domains and its counts. */
export async function fillHistory(dataDir: string, checks: number): Promise<void> {
  const startMs = Date.now() - DAYS * DAY_MS;
  const stepMs = (DAYS * DAY_MS) / checks;
  await logTemplates(dataDir, startMs);
  using database = new Database(`${dataDir}/public.sqlite`, { readwrite: true });
  database.run('pragma synchronous = off');
  const atMs = `cast(${startMs} + new_id * ${stepMs} as integer)`;
  const columns = 'decision, probability, answer_time_bucket, client_hash, is_undelivered, host, url, in_force, record';
  for (let done = TEMPLATES; done < checks; done += TEMPLATES) {
    database.run(
      `insert into checks (id, request_id, ${columns})
       select new_id, unhex(printf('%012x7%03x', ${atMs}, abs(random()) % 4096) || hex(randomblob(8))), ${columns}
       from (select *, id + ${done} as new_id from checks where id between 2 and ${TEMPLATES})`,
    );
    const log = { database, db: drizzle(database) };
    for (let block = blockOf(done + 1); block < blockOf(done + TEMPLATES + 1); block++) indexBlock(log, block);
    database.query('pragma wal_checkpoint(truncate)').all();
  }
  recount(database, startMs, Math.floor(checks / TEMPLATES));
  database.query('pragma wal_checkpoint(truncate)').all();
}

async function logTemplates(dataDir: string, startMs: number): Promise<void> {
  const logger = createLogger('warn', (line) => process.stderr.write(line));
  await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
  await log.append(sampleRecord({ url: `https://${ONCE_DOMAIN}/`, atMs: startMs }));
  for (let done = 1; done < TEMPLATES; done += 1000) {
    const length = Math.min(1000, TEMPLATES - done);
    await Promise.all(
      Array.from({ length }, (_, i) => {
        const decision = DECISIONS[Math.max(0, ((done + i) % 10) - 7)] ?? 'allow';
        return log.append(sampleRecord({ url: urlOf(done + i), atMs: startMs + done + i, result: { decision } }));
      }),
    );
  }
}

/** Fills every bucket of every period, as checks of all sorts do, and counts the sites as often as they are copied. */
function recount(database: Database, startMs: number, copies: number): void {
  database.run(`update blocked set checks = checks * ${copies}`);
  const insert = database.query('insert or replace into counts values (?, ?, ?, ?)');
  const fill = (measure: (typeof MEASURES)[number], periodMs: number, buckets: number) => {
    for (let atMs = periodStart(startMs, periodMs); atMs < startMs + DAYS * DAY_MS; atMs += periodMs) {
      for (let bucket = 0; bucket < buckets; bucket++) insert.run(measure, atMs, bucket, copies);
    }
  };
  database.transaction(() => {
    fill('decision_by_hour', HOUR_MS, DECISIONS.length);
    fill('probability_by_day', DAY_MS, PROBABILITY_BUCKETS);
    fill('answer_time_by_day', DAY_MS, ANSWER_TIME_BUCKETS);
  })();
}
