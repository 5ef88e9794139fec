import { expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { openLogFile } from '#src/checks/store/file/log-file.ts';
import { findChecks } from '#src/checks/store/read/find-checks.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('every page is read from a covering index without sorting', async () => {
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
  for (const decision of [null, 'block'] as const) {
    for (const after of [null, createRequestId(5)]) {
      findChecks({ db }, { domain: null, decision, fromMs: 1, untilMs: 9 }, { after, newest: 9 }, 50);
      findChecks({ db }, { domain: null, decision, fromMs: null, untilMs: null }, { after, newest: null }, 50);
      findChecks({ db }, { domain: null, decision, fromMs: null, untilMs: null }, { after, newest: 9 }, 50);
    }
  }
  expect(queries.length).toBe(12);
  for (const { sql, params } of queries) {
    const plan = file.database
      .query<{ detail: string }, never[]>(`explain query plan ${sql}`)
      .all(...(params as never[]));
    const steps = plan.filter(({ detail }) => !/^(?:MERGE \(UNION ALL\)|LEFT|RIGHT)$/.test(detail));
    expect(steps.length).toBeOneOf([1, 3]);
    for (const { detail } of steps) {
      expect(detail).toStartWith('SEARCH checks USING COVERING INDEX checks_by_decision (');
    }
  }
});
