import type { Provenance, Via } from '#src/checks/record/decided-by.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { unpackReasons } from '#src/checks/record/pack/pack-reasons.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';

/** Columns of a check that state how it came about. */
export interface ProvenanceRow {
  readonly via: Via | null;
  readonly list: string | null;
  readonly entry: string | null;
  readonly listOwner: string | null;
}

/** Columns of a check that the history shows. */
export interface SummaryRow extends ProvenanceRow {
  readonly requestId: string;
  readonly url: string;
  readonly probability: number;
  readonly decision: HistoryItem['decision'];
  readonly coverage: HistoryItem['coverage'];
  readonly caution: HistoryItem['caution'];
  /** Packed; null for a check that an earlier version logged. */
  readonly reasons: Buffer | null;
  /** Null if the active settings of the check are lost. */
  readonly modelVersion: string | null;
}

/** Number of reasons in a row of the history. */
const MAX_REASONS = 3;

/** Returns how a check came about, by its row. */
export function provenanceOf({ via, list, entry, listOwner }: ProvenanceRow): Provenance {
  return { via, decided_by: list === null ? null : { list, entry, source: listOwner } };
}

/** Returns a check as the history shows it. */
export function historyItem(row: SummaryRow): HistoryItem {
  const { requestId, url, probability, decision, coverage, caution, modelVersion } = row;
  return {
    request_id: requestId,
    url,
    malicious_probability: probability,
    decision,
    coverage,
    caution,
    ...provenanceOf(row),
    reasons: row.reasons === null ? [] : unpackReasons(row.reasons).slice(0, MAX_REASONS),
    model_version: modelVersion ?? '',
    timestamp: new Date(requestIdMs(requestId)).toISOString(),
  };
}
