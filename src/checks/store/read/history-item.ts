import type { HistoryItem } from '#src/checks/record/history-page.ts';
import { requestIdMs } from '#src/core/base/request-id.ts';

/** Columns of a check that the history shows. */
export interface SummaryRow {
  readonly requestId: string;
  readonly url: string;
  readonly probability: number;
  readonly decision: HistoryItem['decision'];
  readonly coverage: HistoryItem['coverage'];
  readonly caution: HistoryItem['caution'];
  /** Null if the active settings of the check are lost. */
  readonly modelVersion: string | null;
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
    model_version: modelVersion ?? '',
    timestamp: new Date(requestIdMs(requestId)).toISOString(),
  };
}
