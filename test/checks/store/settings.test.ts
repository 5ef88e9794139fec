import { expect, test } from 'bun:test';
import { readDatabaseUrl } from '#src/checks/store/database-url.ts';
import { FEEDBACK_BOUNDS } from '#src/checks/store/feedback/feedback-queue.ts';
import { DATABASE_RULE, STORE_SETTINGS, type StoreSettings } from '#src/checks/store/settings.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';

const DEFAULTS = defaultsOf(STORE_SETTINGS);

test('by default, logs are bounded, and checks that a database does not accept are spooled', () => {
  expect(DEFAULTS).toEqual({
    ...{ data_dir: './data', client_key_file: null, backup_key_file: null, node_name: null },
    ...{ retention_days: 90, retention_bytes: 2_000_000_000, retention_rows: 0, disk_floor_percent: 5 },
    ...{ screenshot_days: 7, screenshot_bytes: 1_000_000_000 },
    ...{ log_database: [], log_database_private: [], log_spool: true, log_spool_rows: 1_000_000 },
    ...{ commit_interval_ms: 2, log_timeout_seconds: 1 },
  });
  expect(FEEDBACK_BOUNDS).toEqual({ rows: 5000, bytes: 4 * 2 ** 20, ofClient: 100 });
});

test.each([
  ['retention_days', 0, null],
  ['retention_bytes', 0, null],
  ['retention_rows', 0, null],
  ['commit_interval_ms', 0, 100],
  ['disk_floor_percent', 0, 50],
  ['log_spool_rows', 1, null],
] as const)('%s accepts whole numbers from %p to %p', (key, least, most) => {
  const read = (value: number) => STORE_SETTINGS[key].kind.read([String(value)]);
  expect([read(least), read(least - 1), read(least + 0.5)]).toEqual([least, null, null]);
  if (most !== null) expect([read(most), read(most + 1)]).toEqual([most, null]);
});

/** The databases of both logs, each as a host, a port and a name. */
function problemOf(open: readonly string[], hidden: readonly string[]): string | null {
  const read = (urls: readonly string[]) =>
    urls.map((url) => readDatabaseUrl(`postgres://node@${url}`)).filter((url) => typeof url !== 'string');
  const settings: StoreSettings = { ...DEFAULTS, log_database: read(open), log_database_private: read(hidden) };
  return DATABASE_RULE.problem(settings);
}

test('both logs have a database or neither has one, and never the same one', () => {
  expect(DATABASE_RULE.between).toEqual(['log_database', 'log_database_private']);
  expect(problemOf([], [])).toBeNull();
  expect(problemOf(['a.example/one'], [])).toContain('log_database is set, but log_database_private is not');
  expect(problemOf([], ['a.example/one'])).toContain('log_database_private is set, but log_database is not');
  for (const other of ['a.example/two', 'b.example/one', 'a.example:5433/one'])
    expect([other, problemOf(['a.example/one'], [other])]).toEqual([other, null]);
  for (const [open, hidden] of [
    [['a.example/one'], ['a.example:5432/one']],
    [
      ['b.example/x', 'a.example/one'],
      ['a.example/one', 'c.example/y'],
    ],
    [
      ['b.example/x', 'a.example/one'],
      ['c.example/y', 'a.example/one'],
    ],
  ] as const)
    expect(problemOf(open, hidden)).toContain('must be another database');
});
