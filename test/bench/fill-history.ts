import { Database } from 'bun:sqlite';
import { getTableColumns } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { type CheckResult, COVERAGES, DECISIONS } from '#src/checks/record/check-result.ts';
import { VIAS } from '#src/checks/record/decided-by.ts';
import { blockOf } from '#src/checks/store/domains/block.ts';
import { indexBlock } from '#src/checks/store/domains/index-block.ts';
import { checks as checksTable, type MEASURES } from '#src/checks/store/file/schema.ts';
import { openLocalLog } from '#src/checks/store/local-log.ts';
import { ANSWER_TIME_BUCKETS, PROBABILITY_BUCKETS } from '#src/checks/store/write/buckets.ts';
import { periodStart } from '#src/checks/store/write/counters.ts';
import { DAY_MS, HOUR_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import type { Visibility } from '#src/core/base/visibility.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { urlOf } from './load-urls.ts';

/** Checks that are logged as such; the others are copies of them that SQLite makes, which takes a tenth of the time. */
const TEMPLATES = 20_000;

/** A log to fill. */
export interface FilledLog {
  readonly visibility: Visibility;
  readonly checks: number;
  /** Time over which they are spread, up to now. */
  readonly days: number;
}

/** Number of entries that decided checks. */
export const LISTED_ENTRIES = 500;

/** Checked once, before everything else. */
export const ONCE_DOMAIN = 'once.example';

/** Makes the public log of a service of two months. */
export async function fillHistory(dataDir: string, checks: number): Promise<void> {
  await fillLog(dataDir, { visibility: 'public', checks, days: 60 });
}

/** Makes a log with its index of domains and its counts. */
export async function fillLog(dataDir: string, { visibility, checks, days }: FilledLog): Promise<void> {
  const startMs = Date.now() - days * DAY_MS;
  const stepMs = (days * DAY_MS) / checks;
  await logTemplates(dataDir, visibility, startMs);
  using database = new Database(`${dataDir}/${visibility}.sqlite`, { readwrite: true });
  database.run('pragma synchronous = off');
  const atMs = `cast(${startMs} + new_id * ${stepMs} as integer)`;
  const columns = Object.values(getTableColumns(checksTable))
    .map(({ name }) => name)
    .filter((name) => name !== 'id' && name !== 'request_id')
    .join(', ');
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
  if (visibility === 'public') recount(database, startMs, days, Math.floor(checks / TEMPLATES));
  database.query('pragma wal_checkpoint(truncate)').all();
}

async function logTemplates(dataDir: string, visibility: Visibility, startMs: number): Promise<void> {
  const logger = createLogger('warn', (line) => process.stderr.write(line));
  await using log = await openLocalLog({ dataDir, access: 'serve', clock: systemClock, logger });
  await log.append(sampleRecord({ visibility, url: `https://${ONCE_DOMAIN}/`, atMs: startMs }));
  for (let done = 1; done < TEMPLATES; done += 1000) {
    const length = Math.min(1000, TEMPLATES - done);
    await Promise.all(
      Array.from({ length }, (_, i) => {
        return log.append(templateAt(done + i, visibility, startMs));
      }),
    );
  }
}

/** Returns one check of a template: seven of ten are allowed, and every second one that is blocked is on a list. */
function templateAt(n: number, visibility: Visibility, startMs: number): CheckRecord {
  const decision: CheckResult['decision'] = DECISIONS[Math.max(0, (n % 10) - 7)] ?? 'allow';
  const isListed = n % 20 === 19;
  return sampleRecord({
    ...{ visibility, url: urlOf(n), atMs: startMs + n, result: { decision } },
    details: {
      coverage: COVERAGES[n % COVERAGES.length] ?? 'full',
      via: VIAS[n % VIAS.length] ?? 'api',
      decided_by: isListed ? { list: 'threats', entry: `threat${n % LISTED_ENTRIES}.example`, source: null } : null,
    },
  });
}

/** Fills every bucket of every period, as checks of all sorts do, and counts the sites as often as they are copied. */
function recount(database: Database, startMs: number, days: number, copies: number): void {
  database.run(`update blocked set checks = checks * ${copies}`);
  const insert = database.query('insert or replace into counts values (?, ?, ?, ?)');
  const fill = (measure: (typeof MEASURES)[number], periodMs: number, buckets: number) => {
    for (let atMs = periodStart(startMs, periodMs); atMs < startMs + days * DAY_MS; atMs += periodMs) {
      for (let bucket = 0; bucket < buckets; bucket++) insert.run(measure, atMs, bucket, copies);
    }
  };
  database.transaction(() => {
    fill('decision_by_hour', HOUR_MS, DECISIONS.length);
    fill('probability_by_day', DAY_MS, PROBABILITY_BUCKETS);
    fill('answer_time_by_day', DAY_MS, ANSWER_TIME_BUCKETS);
  })();
}
