import { and, type Column, gte, inArray, lt, lte, type SQL } from 'drizzle-orm';
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

/** Filter that matches every check. */
export const EVERY_CHECK: CheckFilter = { decision: null, domain: null, fromMs: null, untilMs: null };

/** A check in the list sorted by request id, newest first. */
export interface Position {
  readonly requestId: string;
  /** Position in log order. */
  readonly id: number;
}

/** Range of a list, newest first. */
export interface Span {
  /** Request id of the check after which it continues; null at its beginning. */
  readonly after: string | null;
  /** Number of the last check on it in log order; null if all are. */
  readonly newest: number | null;
}

/** The whole list. */
export const EVERYTHING: Span = { after: null, newest: null };

/** Returns the decisions that a filter matches. */
export function decisionsOf({ decision }: Pick<CheckFilter, 'decision'>): readonly CheckResult['decision'][] {
  return decision === null ? DECISIONS : [decision];
}

/** Returns the condition for the decision of a filter; undefined for any. */
export function ofDecision(column: Column, { decision }: Pick<CheckFilter, 'decision'>): SQL | undefined {
  return decision === null ? undefined : inArray(column, [decision]);
}

/** Returns the condition for the records in a range of time and of a list. */
export function within(
  { requestId, logged }: Readonly<Record<'requestId' | 'logged', Column>>,
  { fromMs, untilMs }: Pick<CheckFilter, 'fromMs' | 'untilMs'>,
  { after, newest }: Span = EVERYTHING,
): SQL | undefined {
  return and(
    fromMs === null ? undefined : gte(requestId, requestIdLowerBound(fromMs)),
    untilMs === null ? undefined : lt(requestId, requestIdLowerBound(untilMs)),
    after === null ? undefined : lt(requestId, after),
    newest === null ? undefined : lte(logged, newest),
  );
}

/** Returns the condition for these request ids in a file; it uses the index that begins with the decision. */
export function withRequestIds(
  requestIds: readonly string[],
  table: typeof checks | typeof messages = checks,
): SQL | undefined {
  return and(inArray(table.decision, [...DECISIONS]), inArray(table.requestId, requestIds.filter(isRequestId)));
}
