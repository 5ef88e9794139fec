import { counted } from '#src/core/base/text/counted.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { csvLine } from '#src/parts/export/csv.ts';
import {
  allChanged,
  CHANGES,
  type ChangedCheck,
  type ChangeOfDecision,
  changeOf,
  changesMade,
  type Rescored,
} from '#src/parts/tuning/rescore/rescore.ts';
import type { RescoredCheck } from '#src/parts/tuning/rescore/rescore-check.ts';

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
      return [...groups, totalText(rescored, by)].join('\n');
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

function totalText(rescored: Rescored, by: string): string {
  const { judged, unread } = rescored;
  const otherwise = allChanged(rescored);
  const left = unread > 0 ? `${unread} skipped: unreadable records\n` : '';
  return `${counted(judged, 'check')} re-scored by ${by}: ${otherwise} with another decision\n${left}`;
}

/** Writes one JSON object per line for each changed check. */
export function ndjsonWriter(): RescoreWriter {
  return { next: (changed) => `${visibleJson(JSON.stringify(payloadOf(changed)))}\n`, end: () => '' };
}

/** Writes one JSON object: the changed checks as `changed`, and the totals. */
export function jsonWriter(): RescoreWriter {
  let isFirst = true;
  const opening = () => (isFirst ? '{"changed":[\n' : ',\n');
  return {
    next(changed) {
      const before = opening();
      isFirst = false;
      return before + visibleJson(JSON.stringify(payloadOf(changed)));
    },
    end(rescored, by) {
      const before = isFirst ? '{"changed":[' : '\n';
      return `${before}],\n${JSON.stringify(sumOf(rescored, by)).slice(1)}\n`;
    },
  };
}

/** Columns of the table. Programs read them by name and position, so new ones are appended. */
const COLUMNS = 'timestamp url request_id decision_was probability_was decision_now probability_now because reason';

/** A table with a header, a line for each check that comes out otherwise. */
export function csvWriter(): RescoreWriter {
  let header = csvLine(COLUMNS.split(' '));
  const begun = () => {
    const once = header;
    header = '';
    return once;
  };
  return {
    next({ check, was, now, because, reason }) {
      const [before, after] = [was, now].map(({ decision, probability }) => [decision, probability] as const);
      const cells = [
        check.timestamp,
        check.url,
        check.request_id,
        ...(before ?? []),
        ...(after ?? []),
        because,
        reason,
      ];
      return begun() + csvLine(cells);
    },
    end: begun,
  };
}

function payloadOf({ check, was, now, because, reason }: ChangedCheck<RescoredCheck>) {
  const { request_id, url, timestamp } = check;
  return { request_id, url, timestamp, was, now, because, reason };
}

function sumOf(rescored: Rescored, by: string) {
  const { judged, unread } = rescored;
  return { model_version: by, judged, unread, changes: changesMade(rescored) };
}

/** Writes re-scored checks as a stream. */
export interface RescoreWriter {
  /** Returns the output of a changed check. */
  next(changed: ChangedCheck<RescoredCheck>): string;
  /** Returns the end of the output. `by` names the model that scored. */
  end(rescored: Rescored, by: string): string;
}
