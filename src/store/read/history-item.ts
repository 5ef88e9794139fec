import { requestIdMs } from '#src/base/request-id.ts';
import type { HistoryItem } from '#src/record/history-page.ts';

/** What the history shows of a check, as its log keeps it. */
export interface SummaryRow {
  readonly requestId: string;
  readonly url: string;
  readonly probability: number;
  readonly decision: HistoryItem['decision'];
}

/** The line of a check in the history. */
export function historyItem({ requestId, url, probability, decision }: SummaryRow): HistoryItem {
  return {
    request_id: requestId,
    url,
    malicious_probability: probability,
    decision,
    timestamp: new Date(requestIdMs(requestId)).toISOString(),
  };
}
