import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal } from '#src/core/base/text/untrusted-text.ts';
import {
  allChanged,
  CHANGES,
  type ChangedCheck,
  type ChangeOfDecision,
  changeOf,
  type Rescored,
} from '#src/parts/tuning/rescore/rescore.ts';
import type { RescoredCheck } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { RescoreWriter } from './writer.ts';

/** Maximum number of checks that are printed per kind of change: the latest. */
const MAX_SHOWN = 20;

/** Collects a report for people: the latest of each kind of change, the most serious first, and the totals. */
export function textWriter(): RescoreWriter {
  const shown = new Map<string, string[]>();
  return {
    next(changed) {
      const change = changeOf(changed);
      const lines = change && (shown.get(change) ?? []);
      if (lines && lines.length < MAX_SHOWN) shown.set(change, [...lines, lineOf(changed)]);
      return '';
    },
    end(rescored, by) {
      const groups = CHANGES.flatMap((change) => groupOf(change, shown.get(change) ?? [], rescored));
      return [...groups, sumOf(rescored, by)].join('\n');
    },
  };
}

function lineOf({ check, was, now, reason }: ChangedCheck<RescoredCheck>): string {
  const [before, after] = [was, now].map(({ probability }) => `${(probability * 100).toFixed(1)} %`.padStart(7));
  const why = reason === null ? '' : `    ${visibleInTerminal(reason)}\n`;
  return `  ${check.timestamp}  ${before} → ${after}  ${visibleInTerminal(check.url)}\n${why}`;
}

function groupOf(change: ChangeOfDecision, lines: readonly string[], { changes }: Rescored): string[] {
  const count = changes.get(change) ?? 0;
  if (count === 0) return [];
  const [was, now] = change.split(' ');
  const more = count > lines.length ? `  and ${count - lines.length} more, see --format ndjson\n` : '';
  return [`Now ${now}, was ${was}: ${count}\n${lines.join('')}${more}`];
}

function sumOf(rescored: Rescored, by: string): string {
  const { judged, unread } = rescored;
  const otherwise = allChanged(rescored);
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return `${counted(judged, 'check')} re-scored by ${by}: ${otherwise} with another decision\n${left}`;
}
