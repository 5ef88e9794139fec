import { requestIdMs } from '#src/core/base/request-id.ts';
import type { HistoryItem } from '#src/checks/record/history-page.ts';

/** What the history shows of a check, as its log keeps it. */
export interface SummaryRow {
  readonly requestId: string;
  readonly url: string;
  readonly probability: number;
  readonly decision: HistoryItem['decision'];
  readonly coverage: HistoryItem['coverage'];
  readonly caution: HistoryItem['caution'];
  /** Null if what was active for the check is lost. */
  readonly modelVersion: string | null;
}

/** The line of a check in the history. */
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
