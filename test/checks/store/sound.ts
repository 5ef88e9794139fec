import { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { hostOfRow, indexedSuffixes } from '#src/checks/store/domains/host-suffixes.ts';
import { EVERY_CHECK, EVERYTHING } from '#src/checks/store/read/check-filter.ts';
import { findChecks } from '#src/checks/store/read/find-checks.ts';
import { probabilityBucket } from '#src/checks/store/write/buckets.ts';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { hostOf } from '#src/core/url/host.ts';

interface Row {
  id: number;
  request_id: Uint8Array;
  checked_at_ms: number;
  decision: number;
  probability: number;
  answer_time_bucket: number;
  host: string | null;
  /** Absent in a log of an older version. */
  deciding_host?: string | null;
  url: string;
}

type MessageRow = Pick<Row, 'request_id' | 'decision'>;

/** Expects that a log is intact and that its index of domains and its counts say what its checks say. */
export function expectSound(path: string): void {
  using database = new Database(path, { readwrite: true });
  expect(database.query('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const rows = database
    .query<Row, []>('select * from checks')
    .all()
    .map((row) => ({ ...row, checked_at_ms: requestIdMs(requestIdText(row.request_id)) }));
  const idsByDomain = new Map<string, number[]>();
  for (const row of rows) {
    for (const domain of indexedSuffixes(hostOfRow(row))) {
      const ids = idsByDomain.get(domain);
      if (ids) ids.push(row.id);
      else idsByDomain.set(domain, [row.id]);
    }
  }
  const db = drizzle(database);
  // Of many, some.
  const step = Math.ceil(idsByDomain.size / 200);
  for (const [domain, ids] of [...idsByDomain].filter((_, i) => i % step === 0)) {
    const found = findChecks({ db }, { ...EVERY_CHECK, domain }, EVERYTHING, rows.length + 1).map(([id]) => id);
    expect([domain, found.toSorted((a, b) => a - b)]).toEqual([domain, ids.toSorted((a, b) => a - b)]);
  }
  if (path.endsWith('private.sqlite')) {
    // Of the hours that are over, as far as they were stored.
    const counted = recount(rows);
    for (const [name, checks] of countsIn(database)) {
      expect([name, checks]).toEqual([expect.stringMatching(/^decision_by_hour /), counted.get(name) ?? 0]);
    }
  } else {
    expect(countsIn(database)).toEqual(recount(rows, database));
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

function recount(rows: readonly Row[], withMessages?: Database): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const messages = withMessages?.query<MessageRow, []>('select request_id, decision from messages').all() ?? [];
  for (const { request_id, decision } of messages) {
    const atMs = requestIdMs(requestIdText(request_id));
    count(`message_by_hour ${atMs - (atMs % 3_600_000)} ${decision}`);
  }
  for (const row of rows) {
    const hour = row.checked_at_ms - (row.checked_at_ms % 3_600_000);
    const day = row.checked_at_ms - (row.checked_at_ms % 86_400_000);
    count(`decision_by_hour ${hour} ${row.decision}`);
    count(`probability_by_day ${day} ${probabilityBucket(row.probability)}`);
    count(`answer_time_by_day ${day} ${row.answer_time_bucket}`);
    if (row.decision !== 2) continue;
    const { site, suffix } = hostOf(row.deciding_host ?? hostOfRow(row).text);
    count(`site ${site}`);
    if (suffix !== '') count(`suffix ${suffix}`);
  }
  return new Map([...counts].toSorted(byName));
}

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}
