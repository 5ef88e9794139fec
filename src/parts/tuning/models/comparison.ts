import { isUnreadable, type LoggedResult } from '#src/checks/record/logged-result.ts';
import type { Compare, Compared } from './compare-models.ts';

/** Maximum number of changed checks that are listed: the latest. */
const MAX_SHOWN = 1000;

interface Changed extends Compared {
  readonly check: Pick<LoggedResult, 'url' | 'request_id'>;
}

/** Result of a comparison. */
export interface Comparison {
  /** Versions of the active model and of the other one. */
  readonly versions: readonly [now: string, other: string];
  /** Number of checks that both models scored. */
  compared: number;
  /** Number of checks that could not be scored, because their records cannot be read. */
  unread: number;
  /** Number of changed verdicts by change: `allow → warn`. */
  readonly changes: Map<string, number>;
  /** Some of them, latest first. */
  readonly changed: Changed[];
}

/** Number of checks per turn, a few milliseconds of work. */
const CHECKS_AT_ONCE = 4;

/**
 * Compares two verdicts on each of stored checks, latest first.
 *
 * @param versions versions of the active model and of the other one
 * @param pause called after every few milliseconds of work
 */
export async function compareChecks(
  versions: Comparison['versions'],
  entries: AsyncIterable<{ readonly result: LoggedResult }>,
  compare: Compare,
  pause: () => Promise<unknown>,
): Promise<Comparison> {
  const comparison: Comparison = { versions, compared: 0, unread: 0, changes: new Map(), changed: [] };
  for await (const { result } of entries) {
    addCompared(comparison, result, isUnreadable(result) ? null : compare(result));
    if ((comparison.compared + comparison.unread) % CHECKS_AT_ONCE === 0) await pause();
  }
  return comparison;
}

/** Adds the results of one check; null if it could not be scored. */
function addCompared(comparison: Comparison, check: Changed['check'], compared: Compared | null): void {
  if (compared === null) {
    comparison.unread++;
    return;
  }
  comparison.compared++;
  const { now, other } = compared;
  if (now.decision === other.decision) return;
  const change = `${now.decision} → ${other.decision}`;
  comparison.changes.set(change, (comparison.changes.get(change) ?? 0) + 1);
  if (comparison.changed.length < MAX_SHOWN) comparison.changed.push({ check, ...compared });
}

/** Returns a comparison as programs read it. */
export function comparisonRow({ versions: [now, other], compared, unread, changes, changed }: Comparison) {
  return {
    now,
    other,
    compared,
    unread,
    changes: Object.fromEntries([...changes].toSorted()),
    changed: changed.map(({ check: { url, request_id }, ...both }) => ({ request_id, url, ...both })),
  };
}
