import { and, desc, eq } from 'drizzle-orm';
import { findByDomain } from '../domains/find-by-domain.ts';
import { domainKey } from '../domains/host-suffixes.ts';
import type { LogFile } from '../file/log-file.ts';
import { checks } from '../file/schema.ts';
import { type After, decisionsOf, type FilterUpTo, newest, type Position, within } from './check-filter.ts';

/**
 * The places of the `limit` newest checks that match and come after `after`, newest first. Each decision is a range of
 * one index that is in this order already; merging three of them costs the same however much lies beside them.
 */
export function findChecks(log: Pick<LogFile, 'db'>, filter: FilterUpTo, after: After, limit: number): Position[] {
  if (filter.domain !== null) {
    const domain = domainKey(filter.domain);
    return domain === null ? [] : findByDomain(log, domain, filter, after, limit);
  }
  const { id, requestId } = checks;
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
