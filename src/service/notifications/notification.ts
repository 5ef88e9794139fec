import type { Alert } from '#src/admin/alerts/alert.ts';
import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import type { LogFields } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

/** What a notification is about. */
export type NotificationType = 'check.blocked' | 'feedback.received' | 'alert.raised' | 'alert.cleared';

/** Something that an operator wants to know of soon. Holds nothing that the public log would not hold. */
export interface Notification {
  /** The same on every attempt to deliver it. */
  readonly id: string;
  readonly type: NotificationType;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly data: LogFields;
}

/** Feedback as it was stored, see `FeedbackQueue.take`. */
export interface StoredFeedback {
  readonly url: string;
  readonly verdict: string;
  readonly requestId?: string | null | undefined;
}

/**
 * A blocked check, as the service logs it. Of a private check it has what leads to its record, and nothing by which somebody
 * with a list of URLs could find out which one was checked, as by its exact probability.
 */
export function blockedCheck(record: CheckRecord, atMs: number): Notification {
  const { visibility, result } = record;
  const isPublic = visibility === 'public';
  const data = isPublic
    ? describeEvent(record)
    : { request_id: result.request_id, visibility, decision: result.decision };
  return notification('check.blocked', atMs, data);
}

export function receivedFeedback({ url, verdict, requestId }: StoredFeedback, atMs: number): Notification {
  return notification('feedback.received', atMs, { request_id: requestId ?? null, url, verdict });
}

export function changedAlert({ code, fact, remedy }: Alert, change: 'raised' | 'cleared', atMs: number): Notification {
  const message = remedy === null ? fact : `${fact} ${remedy}`;
  return notification(`alert.${change}`, atMs, change === 'raised' ? { code, message } : { code });
}

function notification(type: NotificationType, atMs: number, data: LogFields): Notification {
  return { id: `msg_${createRequestId(atMs)}`, type, atMs, data };
}
