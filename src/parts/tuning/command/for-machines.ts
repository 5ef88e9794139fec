import { visibleJson } from '#src/core/base/text/untrusted-text.ts';
import { csvLine } from '#src/parts/export/csv.ts';
import { type ChangedCheck, changesMade, type Rescored } from '#src/parts/tuning/rescore/rescore.ts';
import type { RescoredCheck } from '#src/parts/tuning/rescore/rescore-check.ts';
import type { RescoreWriter } from './writer.ts';

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
