import { and, desc, eq } from 'drizzle-orm';
import { requestIdMs } from '#src/core/base/request-id.ts';
import { findByDomain } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import {
  type After,
  decisionsOf,
  EVERY_CHECK,
  type FilterUpTo,
  matching,
  newest,
  type Position,
  within,
} from './check-filter.ts';

/**
 * Returns the positions of the `limit` newest matching checks after `after`, newest first. Each decision is a range of
 * one sorted index, so that merging the three costs the same however many other checks there are.
 */
export function findChecks(log: Pick<LogFile, 'db'>, filter: FilterUpTo, after: After, limit: number): Position[] {
  if (filter.domain !== null) {
    const domain = domainKey(filter.domain);
    return domain === null ? [] : findByDomain(log, domain, filter, after, limit);
  }
  const { id, requestId } = checks;
  const { list = null, entry = null } = filter;
  if (list !== null && entry !== null) {
    // One range of the index of what lists decided, whatever else is logged.
    const conditions = [eq(checks.list, list), eq(checks.entry, entry), ...matching(filter, after)];
    const rows = log.db
      .select({ id, requestId })
      .from(checks)
      .where(and(...conditions));
    return rows.orderBy(desc(requestId)).limit(limit).all();
  }
  const found = decisionsOf(filter).flatMap((decision) =>
    log.db
      .select({ id, requestId })
      .from(checks)
      .where(and(eq(checks.decision, decision), ...within(filter, after)))
      .orderBy(desc(requestId))
      .limit(limit)
      .all(),
  );
  return newest(found, limit);
}

/** Returns the id of the last logged check; 0 if there is none. */
export function newestIdOf({ database }: Pick<LogFile, 'database'>): number {
  return database.query<{ id: number | null }, []>('select max(id) as id from checks').get()?.id ?? 0;
}

/** Returns the start of the latest check, in milliseconds since the Unix epoch; null if there is none. */
export function newestMsOf(log: Pick<LogFile, 'database' | 'db'>): number | null {
  // Asked at every start: an empty log needs no search.
  if (newestIdOf(log) === 0) return null;
  const [first] = findChecks(log, EVERY_CHECK, null, 1);
  return first ? requestIdMs(first.requestId) : null;
}
