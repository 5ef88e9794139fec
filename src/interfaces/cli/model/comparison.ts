import type { Compared } from '#src/admin/models/compare-models.ts';
import type { LoggedResult } from '#src/checks/record/logged-result.ts';
import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';

/** Maximum number of changed checks that are listed: the latest. */
const MAX_SHOWN = 1000;

interface Changed extends Compared {
  readonly check: Pick<LoggedResult, 'url' | 'request_id'>;
}

/** What becomes of a comparison. */
export interface Comparison {
  /** Versions of the active model and of the other one. */
  readonly versions: readonly [now: string, other: string];
  /** Number of checks that both models scored. */
  compared: number;
  /** Number of checks that could not be scored, because their records cannot be read. */
  unread: number;
  /** How many come out otherwise, by what they come out as: `allow → warn`. */
  readonly changes: Map<string, number>;
  /** Some of them, latest first. */
  readonly changed: Changed[];
}

/** A comparison in which nothing was compared yet. */
export function newComparison(versions: Comparison['versions']): Comparison {
  return { versions, compared: 0, unread: 0, changes: new Map(), changed: [] };
}

/** Adds the results of one check; null if it could not be scored. */
export function addCompared(comparison: Comparison, check: Changed['check'], compared: Compared | null): void {
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

/** A line for each check that comes out otherwise, and what they add up to. */
export function comparisonAsText({ versions, compared, unread, changes, changed }: Comparison): string {
  const lines = changed.map(({ check, now, other }) => {
    const percent = [now, other]
      .map(({ probability }) => `${(probability * 100).toFixed(1)} %`.padStart(7))
      .join(' → ');
    return `${now.decision.padEnd(5)} → ${other.decision.padEnd(5)} ${percent}  ${visibleInTerminal(check.url)}\n`;
  });
  const total = sum(changes.values());
  const more = total > changed.length ? `and ${total - changed.length} more\n` : '';
  const kinds = [...changes].toSorted().map(([change, checks]) => `${change}: ${checks}\n`);
  const end = `${counted(compared, 'check')} compared, ${versions.join(' against ')}: ${total} with another decision\n`;
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return [...lines, more, ...kinds, end, left].join('');
}

/** The same for machines. */
export function comparisonAsJson({ versions, compared, unread, changes, changed }: Comparison): string {
  const [now, other] = versions;
  const said = {
    now,
    other,
    compared,
    unread,
    changes: Object.fromEntries([...changes].toSorted()),
    changed: changed.map(({ check: { url, request_id: id }, ...both }) => ({ request_id: id, url, ...both })),
  };
  return `${visibleJson(JSON.stringify(said, null, 2))}\n`;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const one of numbers) total += one;
  return total;
}
