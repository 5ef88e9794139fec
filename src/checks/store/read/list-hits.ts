import { and, asc, isNotNull, sql } from 'drizzle-orm';
import { requestIdBytes, requestIdLowerBound } from '#src/core/base/request-id.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';

/** Index rows per step, at most a millisecond or two. */
const ROWS_PER_STEP = 1000;

type CountedRow = [list: string, entry: string, hits: number, rows: number, last: Uint8Array];

const { list, entry, requestId } = checks;

/** Counts the checks of a file since a moment by the entry that decided, in steps over one index. */
export function* countHits({ db }: Pick<LogFile, 'db'>, sinceMs: number): Generator<readonly EntryTally[]> {
  const since = requestIdBytes(requestIdLowerBound(sinceMs));
  const counted = prepareStep(db);
  let after: Record<string, string | Uint8Array> = { list: '', entry: '', requestId: new Uint8Array() };
  for (;;) {
    // Unmapped: mapping the rows would take most of the time.
    const rows = counted.values({ since, ...after }) as CountedRow[];
    yield rows.map(([list, entry, hits]) => ({ list, entry, hits }));
    const last = rows.at(-1);
    if (last === undefined || rows.reduce((sum, [, , , count]) => sum + count, 0) < ROWS_PER_STEP) return;
    after = { list: last[0], entry: last[1], requestId: last[4] };
  }
}

function prepareStep(db: LogFile['db']) {
  const { placeholder } = sql;
  const after = sql`(${placeholder('list')}, ${placeholder('entry')}, ${placeholder('requestId')})`;
  const step = db
    .select({ list, entry, requestId })
    .from(checks)
    .where(and(isNotNull(list), sql`(${list}, ${entry}, ${requestId}) > ${after}`))
    .orderBy(asc(list), asc(entry), asc(requestId))
    .limit(ROWS_PER_STEP)
    .as('step');
  return db
    .select({
      list: step.list,
      entry: step.entry,
      hits: sql`sum(${step.requestId} >= ${placeholder('since')})`,
      rows: sql`count(*)`,
      last: sql`max(${step.requestId})`,
    })
    .from(step)
    .groupBy(step.list, step.entry)
    .orderBy(step.list, step.entry)
    .prepare();
}

/** Checks that the entries of a list decided. */
export interface ListTally {
  readonly total: number;
  /** Hits by entry; without those after the first {@link MAX_COUNTED_ENTRIES} entries, by name. */
  readonly entries: ReadonlyMap<string, number>;
}

/** Hits by the name of the list, of all lists that decided a check. */
export type HitsByList = ReadonlyMap<string, ListTally>;

/** Maximum number of entries of a list whose hits are counted one by one. */
export const MAX_COUNTED_ENTRIES = 50_000;

/** Hits of an entry, or of a part of them. */
export interface EntryTally {
  readonly list: string;
  readonly entry: string;
  readonly hits: number;
}

/** Hits that are being counted. */
export type CountedHits = Map<string, { total: number; readonly entries: Map<string, number> }>;

/** Adds hits to those of the same entries, of the same log or of another. */
export function sumHits(counts: CountedHits, some: readonly EntryTally[]): void {
  for (const { list, entry, hits } of some) {
    const counted = counts.getOrInsertComputed(list, () => ({ total: 0, entries: new Map() }));
    counted.total += hits;
    const known = counted.entries.get(entry);
    if (hits > 0 && (known !== undefined || counted.entries.size < MAX_COUNTED_ENTRIES))
      counted.entries.set(entry, (known ?? 0) + hits);
  }
}
