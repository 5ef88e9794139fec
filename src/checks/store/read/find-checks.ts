import { and, desc, eq, inArray, max, min, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { DECISIONS } from '#src/checks/record/check-result.ts';
import { PACKED_REASON_BYTES } from '#src/checks/record/pack/pack-reasons.ts';
import { DAY_MS } from '#src/core/base/clock.ts';
import { requestIdText } from '#src/core/base/request-id.ts';
import { findByDomain, type ListedCheck, msOfListed } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import { asStoreError } from '../file/fault.ts';
import type { LogFile } from '../file/log-file.ts';
import { activeSettings, checks, counts, messages } from '../file/schema.ts';
import type { SearchFilter } from '../scan-log.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { EVERY_CHECK, EVERYTHING, ofDecision, type Span, within, withRequestIds } from './check-filter.ts';
import { queriesOf, tableOf } from './queries.ts';
import type { DayCount, LogTables, ReadableLog } from './readable-log.ts';

type Files = Pick<LogFile, 'database' | 'db'>;

/** Maximum number of reasons of a check among which one is searched. */
const MAX_REASONS = 300;
const PLACES = JSON.stringify(Array.from({ length: MAX_REASONS }, (_, i) => 1 + i * PACKED_REASON_BYTES));

/** The tables of a file. */
export const FILE_TABLES: LogTables = {
  checks: tableOf(checks),
  messages: tableOf(messages),
  activeSettings: tableOf(activeSettings),
  counts: tableOf(counts),
  logged: { checks: tableOf(checks).id, messages: tableOf(messages).id },
  isUndelivered: { checks: tableOf(checks).isUndelivered, messages: tableOf(messages).isUndelivered },
  modelVersion: sql<string | null>`json_extract(${activeSettings.settings}, '$.model_version')`,
  // SQLite reads hexadecimal numbers in JSON5 alone.
  startMs: sql`('0x' || hex(substr(${checks.requestId}, 1, 6)) ->> '$')`,
  ends: { first: min(checks.requestId), last: max(checks.requestId) },
  haveIds: (kind, requestIds) => withRequestIds(requestIds, { checks, messages }[kind]),
  placeOf: (text, part) => sql`instr(${text}, ${part})`,
  // Each reason has as many bytes; most often the first place where the number occurs is one of them.
  haveReason(number) {
    const first = sql`instr(${checks.reasons}, ${number})`;
    return sql`${first} > 0 and (${first} % ${PACKED_REASON_BYTES} = 1 or exists (
      select 1 from json_each(${PLACES}) where substr(${checks.reasons}, value, ${number.length}) = ${number}))`;
  },
  withoutIndex: (column) => sql`+${column}`,
};

/** Opens a file for reading. Its queries throw StoreError. */
export function readFile(log: LogFile, turn: () => Promise<void>): ReadableLog {
  return {
    tables: FILE_TABLES,
    isCounted: log.visibility === 'public',
    async run(work) {
      try {
        return await work(queriesOf(log.db));
      } catch (error) {
        throw asStoreError(log.path, error);
      }
    },
    turn,
    lastLogged: async (_, kind) =>
      kind === 'checks' ? newestIdOf(log) : (prepareNamed(log.database, 'newestMessageId').get({})?.id ?? 0),
    async find(_, filter, span, limit) {
      const found = findChecks(log, filter, span, limit);
      const idAt = (place: number) => (found[place] ? requestIdText(found[place][1]) : null);
      const [first, last] = [idAt(0), idAt(found.length - 1)];
      const ids = JSON.stringify(found.map(([id]) => id));
      return {
        count: found.length,
        last,
        days: () => daysOf(found, first, last),
        are: inArray(checks.id, sql`(select value from json_each(${ids}))`),
      };
    },
    findMessages(filter, span, limit) {
      const ids = newestIn(log, messages, filter, span, limit).map(([id]) => id);
      return inArray(messages.id, ids);
    },
    async walkEnds() {
      const newestId = newestIdOf(log);
      const { recovery } = log;
      return {
        last: lastIdOf(log),
        // What comes back must not be passed by; what was logged since comes after it.
        until: (id) => (recovery && id < recovery.untilId ? recovery.reachedId : newestId),
      };
    },
  };
}

/** Counts checks by day and decision; the ids are those of the first and the last one on the list. */
function daysOf(found: readonly ListedCheck[], newest: string | null, oldest: string | null): DayCount[] {
  const counted = new Map<number, number>();
  for (const one of found) {
    const key = Math.floor(msOfListed(one) / DAY_MS) * DECISIONS.length + one[2];
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  return Array.from(counted, ([key, sum]) => {
    const bucket = key % DECISIONS.length;
    return { dayMs: ((key - bucket) / DECISIONS.length) * DAY_MS, bucket, checks: sum, first: oldest, last: newest };
  });
}

type Bounds = Pick<SearchFilter, 'decision' | 'fromMs' | 'untilMs'>;

/** Returns the `limit` newest checks that match the members of a filter which an index has. */
export function findChecks(
  log: Pick<LogFile, 'db'>,
  filter: SearchFilter,
  span: Span,
  limit: number,
): readonly ListedCheck[] {
  const { domain, list = null, entry = null } = filter;
  if (domain !== null) {
    const key = domainKey(domain);
    return key === null ? [] : findByDomain(log, key, filter, span, limit);
  }
  if (list === null || entry === null) return newestIn(log, checks, filter, span, limit);
  // One range of the index of what lists decided, whatever else is logged.
  const ofEntry = and(eq(checks.list, list), eq(checks.entry, entry), ofDecision(checks.decision, filter));
  return unmapped(rangeOf(log, checks, ofEntry, filter, span).orderBy(desc(checks.requestId)).limit(limit));
}

/**
 * Returns the `limit` newest records. Each decision is a range of one sorted index, and SQLite merges the three: the cost
 * does not grow with the number of other records.
 */
function newestIn(
  log: Pick<LogFile, 'db'>,
  table: typeof checks | typeof messages,
  filter: Bounds,
  span: Span,
  limit: number,
) {
  const inRange = (one: NonNullable<Bounds['decision']>) => rangeOf(log, table, eq(table.decision, one), filter, span);
  const ranges =
    filter.decision === null ? unionAll(inRange('allow'), inRange('warn'), inRange('block')) : inRange(filter.decision);
  return unmapped(ranges.orderBy(desc(table.requestId)).limit(limit));
}

function rangeOf(
  { db }: Pick<LogFile, 'db'>,
  table: typeof checks | typeof messages,
  condition: SQL | undefined,
  filter: Bounds,
  span: Span,
) {
  const { id, requestId, decision } = table;
  return db
    .select({ id, requestId, decision })
    .from(table as typeof checks)
    .where(and(condition, within({ requestId, logged: id }, filter, span)));
}

/** Returns rows unmapped: mapping thousands of them would take most of the time. */
const unmapped = (query: { values(): unknown }) => query.values() as ListedCheck[];

/** Returns the id of the last logged check; 0 if there is none. */
export function newestIdOf({ database }: Pick<LogFile, 'database'>): number {
  return prepareNamed(database, 'newestId').get({})?.id ?? 0;
}

/** Returns the last id that a log gave. */
export function lastIdOf({ database }: Pick<LogFile, 'database'>): number {
  return Math.max(newestIdOf({ database }), lastDeletedIdOf(database));
}

/** Returns the greatest id of a deleted check; 0 if there is none. */
export function lastDeletedIdOf(database: LogFile['database']): number {
  return prepareNamed(database, 'lastDeleted').get({})?.check_id ?? 0;
}

/** Returns the start of the latest check, in milliseconds since the Unix epoch; null if there is none. */
export function newestMsOf(log: Files): number | null {
  // Asked at every start: an empty log needs no search.
  const [last] = newestIdOf(log) === 0 ? [] : findChecks(log, EVERY_CHECK, EVERYTHING, 1);
  return last ? msOfListed(last) : null;
}
