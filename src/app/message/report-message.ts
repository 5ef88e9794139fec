import type { LiveMail } from '#src/checks/record/activity.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { LogFields } from '#src/core/base/logger.ts';
import { onceAborted } from '#src/core/base/timers.ts';
import type { MessageAnswer } from '#src/service/server/message/message-answer.ts';
import type { MessageOrigin, MessageRouteParts } from '#src/service/server/message/message-route.ts';

/** Maximum number of reasons in an event, and in the live view. */
const MAX_REASONS = 8;
const MAX_SHOWN = 3;

/**
 * Returns a function that stores each message that was checked in its log, and then reports it: as an event, always with the
 * same members, and in the live view. All have the verdict in codes and numbers, without subject, address, text or link; the
 * links have events and records of their own.
 */
export function messageReporter(
  { messages }: { readonly messages: Pick<ScanLog['messages'], 'append' | 'markUndelivered'> },
  log: (event: LogFields) => void,
  show: (mail: LiveMail) => void,
): MessageRouteParts['onMessage'] {
  return async (message, origin) => {
    const { via, visibility, client, left } = origin;
    await messages.append({ ...message, via, visibility, client });
    onceAborted(left, () => messages.markUndelivered(visibility, message.request_id));
    log(eventOf(message, origin));
    show(liveMail(message, origin));
  };
}

function eventOf(message: MessageAnswer, { via, visibility }: MessageOrigin): LogFields {
  const { request_id, malicious_probability, decision, reasons, links, link_count, unchecked, unread } = message;
  const codes = reasons.map(({ code }) => code);
  return {
    request_id,
    via,
    visibility,
    malicious_probability,
    decision,
    top_reason: codes[0] ?? null,
    reasons: codes.slice(0, MAX_REASONS),
    blocked_links: links.filter((link) => link.decision === 'block').length,
    link_count,
    unchecked,
    unread,
    is_whole: message.is_whole,
    model_version: message.model_version,
  };
}

function liveMail(message: MessageAnswer, { visibility }: MessageOrigin): LiveMail {
  const { request_id, timestamp, decision, malicious_probability, caution, link_count } = message;
  const isFor = decision !== 'allow';
  const reasons = message.reasons.filter(({ weight }) => weight > 0 === isFor).map(({ code }) => code);
  const verdict = { request_id, timestamp, decision, malicious_probability, caution };
  return { ...verdict, visibility, reasons: reasons.slice(0, MAX_SHOWN), link_count };
}
