import type { MessageRecord } from '#src/checks/record/message-record.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

/** A finished check of a message, as a log takes it. */
export function sampleMessage({
  atMs = Date.UTC(2026, 0, 31, 12),
  ...given
}: Partial<MessageRecord> & { atMs?: number } = {}): MessageRecord {
  return {
    request_id: createRequestId(atMs),
    visibility: 'public',
    via: 'api',
    decision: 'warn',
    malicious_probability: 0.7,
    base_log_odds: -2.944,
    thresholds: { warn: 0.5, block: 0.9 },
    model_version: 'message-1',
    caution: false,
    is_whole: true,
    link_count: 2,
    unchecked: 1,
    unread: 3,
    reasons: [
      { code: 'sender.brand_in_name', weight: 2.31 },
      { code: 'lure.account', weight: -0.5 },
    ],
    links: [{ request_id: createRequestId(atMs + 1) }, { request_id: null }],
    client: null,
    ...given,
  };
}
