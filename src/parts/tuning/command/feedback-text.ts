import type { FeedbackRow, FeedbackState } from '#src/checks/store/feedback/feedback-queue.ts';
import { visibleInTerminal, visibleJson } from '#src/core/base/text/untrusted-text.ts';

/** Enough of a hash to see that two are of one client. */
const SHOWN_HASH = 12;

/** Formats feedback for a terminal, latest first, with the count of each state. */
export function feedbackAsText(found: readonly FeedbackRow[], counts: Readonly<Record<FeedbackState, number>>): string {
  const lines = found.map((one) => {
    const { id, receivedAtMs, verdict, decision, probability, state, comment, entry } = one;
    const was = decision === null ? '' : `  was ${decision}, ${((probability ?? 0) * 100).toFixed(1)} %`;
    const settled = state === 'waiting' ? '' : `  ${state}${entry === null ? '' : ` as ${visibleInTerminal(entry)}`}`;
    const said = comment === '' ? '' : `    “${visibleInTerminal(comment)}”\n`;
    return `${id}  ${isoTime(receivedAtMs)}  ${verdict}  ${visibleInTerminal(one.url)}${was}  client ${clientOf(one)}${settled}\n${said}`;
  });
  const { waiting, accepted, rejected } = counts;
  return `${lines.join('')}${waiting} waiting, ${accepted} accepted, ${rejected} rejected\n`;
}

/** The same for machines. */
export function feedbackAsJson(found: readonly FeedbackRow[]): string {
  const rows = found.map((one) => ({
    id: one.id,
    received_at: isoTime(one.receivedAtMs),
    verdict: one.verdict,
    url: one.url,
    request_id: one.requestId,
    decision: one.decision,
    malicious_probability: one.probability,
    model_version: one.modelVersion,
    comment: one.comment,
    client_hash: one.clientHash.toString('hex'),
    state: one.state,
    settled_at: one.settledAtMs === null ? null : isoTime(one.settledAtMs),
    entry: one.entry,
  }));
  return `${visibleJson(JSON.stringify(rows, null, 2))}\n`;
}

function clientOf({ clientHash }: FeedbackRow): string {
  return clientHash.toString('hex').slice(0, SHOWN_HASH);
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
