import type { Via } from '#src/checks/record/decided-by.ts';
import type { LogFields } from '#src/core/base/logger.ts';
import type { MessageAnswer } from './message-answer.ts';

/** Maximum number of reasons in an event. */
const MAX_REASONS = 8;

/**
 * Returns the logged event of a message, always with the same members: its verdict in codes and numbers, without subject,
 * address, text or link. Its links have events of their own.
 */
export function messageEvent(answer: MessageAnswer, via: Via): LogFields {
  const { request_id, malicious_probability, decision, reasons, links, link_count, unchecked, unread, is_whole } =
    answer;
  const codes = reasons.map(({ code }) => code);
  return {
    request_id,
    via,
    malicious_probability,
    decision,
    top_reason: codes[0] ?? null,
    reasons: codes.slice(0, MAX_REASONS),
    blocked_links: links.filter((link) => link.decision === 'block').length,
    link_count,
    unchecked,
    unread,
    is_whole,
    model_version: answer.model_version,
  };
}
