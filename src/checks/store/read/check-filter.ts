import { and, gte, inArray, lt, lte, type SQL } from 'drizzle-orm';
import { isRequestId, requestIdsFrom } from '#src/core/base/request-id.ts';
import { type CheckResult, DECISIONS } from '#src/checks/record/check-result.ts';
import { checks } from '../file/schema.ts';

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

/** A check in the list of all, which is in the order of request ids, newest first. */
export interface Position {
  readonly requestId: string;
  /** Its place in the order of logging. */
  readonly id: number;
}

/** The check behind which a list goes on; null at its beginning. */
export type After = Pick<Position, 'requestId'> | null;

/** The `limit` newest of some checks, newest first. */
export function newest<P extends Position>(found: readonly P[], limit: number): P[] {
  return found.toSorted((a, b) => (a.requestId < b.requestId ? 1 : -1)).slice(0, limit);
}

/** The decisions that a filter lets through. */
export function decisionsOf({ decision }: CheckFilter): readonly CheckResult['decision'][] {
  return decision === null ? DECISIONS : [decision];
}

/** The limits that a filter sets by time and by the order of logging, and that all checks come after `after` in the list. */
export function within(filter: FilterUpTo, after: After): SQL[] {
  const limits: SQL[] = [];
  if (filter.fromMs !== null) limits.push(gte(checks.requestId, requestIdsFrom(filter.fromMs)));
  if (filter.untilMs !== null) limits.push(lt(checks.requestId, requestIdsFrom(filter.untilMs)));
  if (filter.newestId !== undefined) limits.push(lte(checks.id, filter.newestId));
  if (after) limits.push(lt(checks.requestId, after.requestId));
  return limits;
}

/** Everything that a filter says but for the domain. */
export function matching(filter: FilterUpTo, after: After): SQL[] {
  const limits = within(filter, after);
  if (filter.decision !== null) limits.push(inArray(checks.decision, [filter.decision]));
  return limits;
}

/** The checks with these request ids, by the index that has the decision first. */
export function withRequestIds(requestIds: readonly string[]): SQL | undefined {
  return and(inArray(checks.decision, [...DECISIONS]), inArray(checks.requestId, requestIds.filter(isRequestId)));
}
