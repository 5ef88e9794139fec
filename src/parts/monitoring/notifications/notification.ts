import type { CheckRecord } from '#src/checks/record/check-record.ts';
import { describeEvent } from '#src/checks/record/describe-event.ts';
import type { LogFields } from '#src/core/base/logger.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import type { Alert } from '#src/parts/monitoring/alerts/alert.ts';

/** Subject of a notification. */
export type NotificationType = 'check.blocked' | 'feedback.received' | 'alert.raised' | 'alert.cleared';

/** Something that an operator wants to know of soon. Holds nothing that the public log would not hold. */
export interface Notification {
  /** The same on every attempt to deliver it. */
  readonly id: string;
  readonly type: NotificationType;
  /** Time of the event, in milliseconds since the Unix epoch. */
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
 * Creates the notification of a blocked check. Of a private check it contains only id, visibility and decision, since
 * an exact probability could identify the URL among known ones.
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
