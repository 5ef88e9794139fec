import { and, desc, eq, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { requestIdMs, requestIdText } from '#src/core/base/request-id.ts';
import { findByDomain, type ListedCheck } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { prepareNamed } from '../statements/prepare-named.ts';
import { type After, type CheckFilter, EVERY_CHECK, type FilterUpTo, matching, within } from './check-filter.ts';

type Decision = NonNullable<CheckFilter['decision']>;

/** Checks in the list sorted by request id, newest first. */
export interface FoundChecks {
  readonly listed: readonly ListedCheck[];
  readonly ids: readonly number[];
  /** The last one; null if there are none. */
  readonly last: After;
}

/**
 * Returns the `limit` newest matching checks after `after`. Each decision is a range of one sorted index, and SQLite
 * merges the three: the cost does not grow with the number of other checks.
 */
export function findChecks(log: Pick<LogFile, 'db'>, filter: FilterUpTo, after: After, limit: number): FoundChecks {
  const listed = findListed(log, filter, after, limit);
  const last = listed.at(-1);
  return { listed, ids: listed.map(([id]) => id), last: last ? { requestId: requestIdText(last[1]) } : null };
}

function findListed(log: Pick<LogFile, 'db'>, filter: FilterUpTo, after: After, limit: number): readonly ListedCheck[] {
  if (filter.domain !== null) {
    const domain = domainKey(filter.domain);
    return domain === null ? [] : findByDomain(log, domain, filter, after, limit);
  }
  const { id, requestId, decision } = checks;
  const { list = null, entry = null } = filter;
  const select = (...conditions: SQL[]) =>
    log.db
      .select({ id, requestId, decision })
      .from(checks)
      .where(and(...conditions));
  if (list !== null && entry !== null) {
    // One range of the index of what lists decided, whatever else is logged.
    const ofEntry = select(eq(checks.list, list), eq(checks.entry, entry), ...matching(filter, after));
    return unmapped(ofEntry.orderBy(desc(requestId)).limit(limit));
  }
  const inRange = (one: Decision) => select(eq(decision, one), ...within(filter, after));
  if (filter.decision !== null) return unmapped(inRange(filter.decision).orderBy(desc(requestId)).limit(limit));
  const ranges = unionAll(inRange('allow'), inRange('warn'), inRange('block'));
  return unmapped(ranges.orderBy(desc(requestId)).limit(limit));
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
export function newestMsOf(log: Pick<LogFile, 'database' | 'db'>): number | null {
  // Asked at every start: an empty log needs no search.
  if (newestIdOf(log) === 0) return null;
  const { last } = findChecks(log, EVERY_CHECK, null, 1);
  return last && requestIdMs(last.requestId);
}
