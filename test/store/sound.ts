import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { indexedSuffixes } from '#src/store/read/host-suffixes.ts';
import { answerTimeBucket, probabilityBucket } from '#src/store/write/buckets.ts';
import { hostOf } from '#src/url/host.ts';

interface Row {
  id: number;
  checked_at_ms: number;
  decision: string;
  probability: number;
  host: string;
  answer_seconds: number;
}

/** Expects that a log is intact and that its index of domains and its counts say what its checks say. */
export function expectSound(path: string): void {
  using database = new Database(path, { readwrite: true });
  expect(database.query('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const rows = database
    .query<Row, []>("select *, json_extract(result, '$.analysis_details.analysis_time') as answer_seconds from checks")
    .all();
  const domains = rows.flatMap((row) =>
    indexedSuffixes(hostOf(row.host)).map((domain) => `${domain} ${row.decision} ${row.checked_at_ms} ${row.id}`),
  );
  const keptDomains = database
    .query<{ line: string }, []>(
      "select domain || ' ' || decision || ' ' || checked_at_ms || ' ' || check_id as line from check_domains",
    )
    .all();
  expect(keptDomains.map(({ line }) => line).toSorted()).toEqual(domains.toSorted());
  if (path.endsWith('private.sqlite')) {
    expect(database.query('select 1 from counts union all select 1 from blocked').all()).toEqual([]);
  } else {
    expect(countsIn(database)).toEqual(recount(rows));
  }
}

function countsIn(database: Database): Map<string, number> {
  const lines = database
    .query<{ name: string; checks: number }, []>(
      `select measure || ' ' || period_start_ms || ' ' || bucket as name, checks from counts
       union all select kind || ' ' || name, checks from blocked`,
    )
    .all();
  return new Map(lines.map(({ name, checks }) => [name, checks] as const).toSorted(byName));
}

function recount(rows: readonly Row[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const row of rows) {
    const hour = row.checked_at_ms - (row.checked_at_ms % 3_600_000);
    const day = row.checked_at_ms - (row.checked_at_ms % 86_400_000);
    count(`decision_by_hour ${hour} ${['allow', 'warn', 'block'].indexOf(row.decision)}`);
    count(`probability_by_day ${day} ${probabilityBucket(row.probability)}`);
    count(`answer_time_by_day ${day} ${answerTimeBucket(row.answer_seconds)}`);
    if (row.decision !== 'block') continue;
    const { site, suffix } = hostOf(row.host);
    count(`site ${site}`);
    if (suffix !== '') count(`suffix ${suffix}`);
  }
  return new Map([...counts].toSorted(byName));
}

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}
