import { and, desc, eq, exists, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import { type CheckResult, DECISIONS } from '#src/record/check-result.ts';
import type { LogFile } from '../file/log-file.ts';
import { checkDomains, checks } from '../file/schema.ts';
import type { Position } from './cursor.ts';
import { domainKey } from './host-suffixes.ts';

/** Which checks of a log are meant; null is no limit. */
export interface CheckFilter {
  readonly decision: CheckResult['decision'] | null;
  /** A registrable domain, or any suffix of hosts at a label, as a person writes it. */
  readonly domain: string | null;
  /** The first moment that counts, milliseconds since the Unix epoch. */
  readonly fromMs: number | null;
  /** The first moment that no longer counts. */
  readonly untilMs: number | null;
}

/** A {@link CheckFilter}, but for what came in after another check. */
export interface FilterUpTo extends CheckFilter {
  readonly newestId?: number;
}

/** The filter that lets everything through. */
export const EVERY_CHECK: CheckFilter = { decision: null, domain: null, fromMs: null, untilMs: null };

/**
 * The places of the `limit` newest checks that match and come after `after`, newest first. Each decision is a range of
 * one index that is in this order already; merging three of them costs the same however much lies beside them.
 */
export function findChecks(
  { db }: Pick<LogFile, 'db'>,
  filter: FilterUpTo,
  after: Position | null,
  limit: number,
): Position[] {
  const domain = filter.domain === null ? null : domainKey(filter.domain);
  if (filter.domain !== null && domain === null) return [];
  return (filter.decision ? [filter.decision] : DECISIONS)
    .flatMap((decision) => {
      if (domain === null) {
        const { checkedAtMs, id } = checks;
        const range = and(eq(checks.decision, decision), ...within(filter, after, checkedAtMs, id));
        return db
          .select({ checkedAtMs, id })
          .from(checks)
          .where(range)
          .orderBy(desc(checkedAtMs), desc(id))
          .limit(limit)
          .all();
      }
      const { checkedAtMs, checkId: id } = checkDomains;
      const range = and(
        eq(checkDomains.domain, domain),
        eq(checkDomains.decision, decision),
        ...within(filter, after, checkedAtMs, id),
      );
      return db
        .select({ checkedAtMs, id })
        .from(checkDomains)
        .where(range)
        .orderBy(desc(checkedAtMs), desc(id))
        .limit(limit)
        .all();
    })
    .sort((a, b) => b.checkedAtMs - a.checkedAtMs || b.id - a.id)
    .slice(0, limit);
}

/** The `limit` checks that match and were logged first after `afterId`, in the order of logging. */
export function findLoggedAfter(
  { db }: Pick<LogFile, 'db'>,
  { decision, domain, fromMs, untilMs }: CheckFilter,
  afterId: number,
  limit: number,
): number[] {
  const key = domain === null ? null : domainKey(domain);
  if (domain !== null && key === null) return [];
  const { domain: suffix, decision: itsDecision, checkedAtMs, checkId } = checkDomains;
  const ofCheck = and(eq(itsDecision, checks.decision), eq(checkedAtMs, checks.checkedAtMs), eq(checkId, checks.id));
  const conditions = [
    gt(checks.id, afterId),
    decision === null ? undefined : eq(checks.decision, decision),
    fromMs === null ? undefined : gte(checks.checkedAtMs, fromMs),
    untilMs === null ? undefined : lt(checks.checkedAtMs, untilMs),
    key === null
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(checkDomains)
            .where(and(eq(suffix, key), ofCheck)),
        ),
  ];
  const rows = db
    .select({ id: checks.id })
    .from(checks)
    .where(and(...conditions))
    .orderBy(checks.id)
    .limit(limit)
    .all();
  return rows.map(({ id }) => id);
}

type Column =
  | typeof checks.checkedAtMs
  | typeof checks.id
  | typeof checkDomains.checkedAtMs
  | typeof checkDomains.checkId;

function within(filter: FilterUpTo, after: Position | null, checkedAtMs: Column, id: Column): SQL[] {
  const limits: SQL[] = [];
  if (filter.fromMs !== null) limits.push(gte(checkedAtMs, filter.fromMs));
  if (filter.untilMs !== null) limits.push(lt(checkedAtMs, filter.untilMs));
  if (filter.newestId !== undefined) limits.push(lte(id, filter.newestId));
  if (after) limits.push(sql`(${checkedAtMs}, ${id}) < (${after.checkedAtMs}, ${after.id})`);
  return limits;
}
