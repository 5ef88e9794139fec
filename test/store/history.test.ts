import { describe, expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { createLogger } from '#src/base/logger.ts';
import { createRequestId } from '#src/base/request-id.ts';
import type { CheckRecord } from '#src/record/check-record.ts';
import { openLogFile } from '#src/store/file/log-file.ts';
import { type CheckFilter, EVERY_CHECK } from '#src/store/read/check-filter.ts';
import { findChecks } from '#src/store/read/find-checks.ts';
import type { ScanLog } from '#src/store/scan-log.ts';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from './open-log.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DECISIONS = ['allow', 'warn', 'block'] as const;
const HOSTS = [
  'example.com',
  'www.example.com',
  'a.b.example.com',
  'notexample.com',
  'other.net',
  '192.0.2.7',
  '[2001:db8::1]',
];

/** Many at the same millisecond, and times that run backwards. */
const recordAt = (i: number): CheckRecord =>
  sampleRecord({
    url: `https://${HOSTS[i % HOSTS.length]}/${i}`,
    atMs: START_MS + ((i * 37) % 50) * 1000,
    result: { decision: DECISIONS[(i * i) % 3] ?? 'allow' },
  });

function idsOfAll(log: ScanLog, filter: Partial<CheckFilter>, limit: number, between: () => Promise<unknown>) {
  return (async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = log.page({ ...EVERY_CHECK, ...filter, limit, cursor });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      ids.push(...page.items.map((item) => item.request_id));
      cursor = page.next_cursor;
      await between();
    } while (cursor !== null);
    return ids;
  })();
}

describe('paging', () => {
  const filters: Partial<CheckFilter>[] = [
    {},
    { decision: 'block' },
    { domain: 'example.com' },
    { domain: 'com', decision: 'warn' },
    { domain: '192.0.2.7' },
    { domain: '[2001:db8::1]' },
    { fromMs: START_MS + 10_000, untilMs: START_MS + 20_000 },
    { domain: 'net', fromMs: START_MS + 10_000, decision: 'allow' },
    { domain: 'absent.example' },
  ];

  test.each(filters)('with %j gives what a naive filter gives, newest first, each once', async (filter) => {
    await using directory = temporaryDirectory();
    await using log = await openLog(directory.path);
    const records = Array.from({ length: 300 }, (_, i) => recordAt(i));
    await Promise.all(records.map((record) => log.append(record)));
    const expected = records.filter((record) => matches(record, { ...EVERY_CHECK, ...filter })).map(idOf);
    for (const limit of [1, 7, 500]) {
      const ids = await idsOfAll(log, filter, limit, () => Promise.resolve());
      expect(ids.toSorted()).toEqual(expected.toSorted());
      const times = ids.map((id) => log.find('public', id)?.result.timestamp ?? '');
      expect(times).toEqual(times.toSorted().reverse());
    }
  });

  test.each([{}, { decision: 'warn' }, { domain: 'com' }] as const)(
    'with %j is not disturbed by checks that come in meanwhile, whenever the clock says that they were',
    async (filter) => {
      await using directory = temporaryDirectory();
      await using log = await openLog(directory.path);
      await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(recordAt(i))));
      const whole = await idsOfAll(log, filter, 500, () => Promise.resolve());
      let later = 1000;
      const more = () => Promise.all(Array.from({ length: 20 }, () => log.append(recordAt(later++))));
      expect(await idsOfAll(log, filter, 9, more)).toEqual(whole);
    },
  );

  test.each(['', 'x', 'MQ', '!!!', 'MS4yLjM', '1.2', "' OR 1=1 --", 'a'.repeat(10_000)])(
    'refuses the cursor %j',
    async (cursor) => {
      await using directory = temporaryDirectory();
      await using log = await openLog(directory.path);
      expect(() => log.page({ ...EVERY_CHECK, limit: 1, cursor })).toThrow('not a cursor');
    },
  );

  test.each(["' OR 1=1 --", '%', '_', '\\', 'a\0b', '* OR *', '[a-z]*', '1;ATTACH', '.', 'com/', 'x'.repeat(1000)])(
    'finds nothing for the domain %j',
    async (domain) => {
      await using directory = temporaryDirectory();
      await using log = await openLog(directory.path);
      await log.append(sampleRecord());
      expect(log.page({ ...EVERY_CHECK, limit: 1, cursor: null, domain }).items).toEqual([]);
    },
  );

  test('understands a domain as people write it', async () => {
    await using directory = temporaryDirectory();
    await using log = await openLog(directory.path);
    await log.append(sampleRecord({ url: 'https://www.bücher.example/' }));
    for (const domain of ['bücher.example', 'BÜCHER.Example.', '*.xn--bcher-kva.example', ' .example']) {
      expect(log.page({ ...EVERY_CHECK, limit: 1, cursor: null, domain }).items).toHaveLength(1);
    }
  });
});

test('every page is read from an index that is in order already', async () => {
  await using directory = temporaryDirectory();
  const logger = createLogger('error', () => {});
  using file = openLogFile({
    dataDir: directory.path,
    visibility: 'public',
    create: true,
    repair: true,
    nowMs: 0,
    logger,
  });
  const queries: { sql: string; params: unknown[] }[] = [];
  const db = drizzle(file.database, { logger: { logQuery: (sql, params) => void queries.push({ sql, params }) } });
  const after = { requestId: createRequestId(5), id: 7 };
  for (const decision of [null, 'block'] as const) {
    for (const from of [null, after]) {
      findChecks({ db }, { domain: null, decision, fromMs: 1, untilMs: 9, newestId: 9 }, from, 50);
      findChecks({ db }, { domain: null, decision, fromMs: null, untilMs: null }, from, 50);
      findChecks({ db }, { domain: null, decision, fromMs: null, untilMs: null, newestId: 9 }, from, 50);
    }
  }
  expect(queries.length).toBe(24);
  for (const { sql, params } of queries) {
    const plan = file.database
      .query<{ detail: string }, never[]>(`explain query plan ${sql}`)
      .all(...(params as never[]));
    expect(plan).toHaveLength(1);
    expect(plan[0]?.detail).toStartWith('SEARCH checks USING COVERING INDEX checks_by_decision (');
  }
});

const idOf = (record: CheckRecord) => record.result.request_id;

function matches({ host, result }: CheckRecord, filter: CheckFilter): boolean {
  const atMs = Date.parse(result.timestamp);
  return (
    (filter.decision === null || result.decision === filter.decision) &&
    (filter.fromMs === null || atMs >= filter.fromMs) &&
    (filter.untilMs === null || atMs < filter.untilMs) &&
    (filter.domain === null ||
      host.text === filter.domain.replace(/[[\]]/g, '') ||
      host.text.endsWith(`.${filter.domain}`))
  );
}
