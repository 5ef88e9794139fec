import { and, gte, inArray, lt, lte, type SQL } from 'drizzle-orm';
import { type CheckResult, DECISIONS } from '#src/checks/record/check-result.ts';
import { isRequestId, requestIdLowerBound } from '#src/core/base/request-id.ts';
import { checks, type messages } from '../file/schema.ts';

/** Filter of the checks of a log; null filters nothing. */
export interface CheckFilter {
  readonly decision: CheckResult['decision'] | null;
  /** A registrable domain or any suffix of hosts at a label, as a person types it. */
  readonly domain: string | null;
  /** Earliest start, inclusive, in milliseconds since the Unix epoch. */
  readonly fromMs: number | null;
  /** Latest start, exclusive. */
  readonly untilMs: number | null;
}

/** A {@link CheckFilter} that excludes checks logged after another one. */
export interface FilterUpTo extends CheckFilter {
  readonly newestId?: number;
  /** The entry that decided, of a list; both or none narrows the search. */
  readonly list?: string | null;
  readonly entry?: string | null;
}

/** Filter that matches every check. */
export const EVERY_CHECK: CheckFilter = { decision: null, domain: null, fromMs: null, untilMs: null };

/** A check in the list sorted by request id, newest first. */
export interface Position {
  readonly requestId: string;
  /** Position in log order. */
  readonly id: number;
}

/** The check after which a list continues; null at its beginning. */
export type After = Pick<Position, 'requestId'> | null;

/** Returns the decisions that a filter matches. */
export function decisionsOf({ decision }: CheckFilter): readonly CheckResult['decision'][] {
  return decision === null ? DECISIONS : [decision];
}

/** Returns the conditions of a filter on time and log order, for checks after `after` in the list. */
export function within(filter: FilterUpTo, after: After): SQL[] {
  const limits: SQL[] = [];
  if (filter.fromMs !== null) limits.push(gte(checks.requestId, requestIdLowerBound(filter.fromMs)));
  if (filter.untilMs !== null) limits.push(lt(checks.requestId, requestIdLowerBound(filter.untilMs)));
  if (filter.newestId !== undefined) limits.push(lte(checks.id, filter.newestId));
  if (after) limits.push(lt(checks.requestId, after.requestId));
  return limits;
}

/** Returns all conditions of a filter except the domain. */
export function matching(filter: FilterUpTo, after: After): SQL[] {
  const limits = within(filter, after);
  if (filter.decision !== null) limits.push(inArray(checks.decision, [filter.decision]));
  return limits;
}

/** Returns the condition for these request ids; it uses the index that begins with the decision. */
export function withRequestIds(
  requestIds: readonly string[],
  table: typeof checks | typeof messages = checks,
): SQL | undefined {
  return and(inArray(table.decision, [...DECISIONS]), inArray(table.requestId, requestIds.filter(isRequestId)));
}
