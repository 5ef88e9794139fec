import type { CheckRecord } from '#src/checks/record/check-record.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { createOutbox, type Outbox, type OutboxParts, type OutboxStatus } from '#src/core/base/outbox.ts';
import { type Notice, notice } from '#src/core/base/text/condition.ts';
import type { Alert } from '#src/parts/monitoring/alerts/alert.ts';
import { type MailParts, sendMail } from './mail.ts';
import {
  blockedCheck,
  changedAlert,
  type Notification,
  receivedFeedback,
  type StoredFeedback,
} from './notification.ts';
import { createWebhook, type WebhookParts } from './webhook.ts';

/** A way by which notifications leave. */
type Channel = 'webhook' | 'mail';

/** Sends notifications by each configured channel. Never delays the caller. */
export interface Notifier extends AsyncDisposable {
  /** The configured channels; none by default. */
  readonly channels: ReadonlyMap<Channel, OutboxStatus>;
  blocked(record: CheckRecord): void;
  feedback(stored: StoredFeedback): void;
  alert(alert: Alert, change: 'raised' | 'cleared'): void;
  /** Problems, in sentences for the public. */
  notices(): readonly Notice[];
}

export interface NotifierParts {
  /** Null if it is not configured. */
  readonly webhook: Omit<WebhookParts, 'clock' | 'onGivenUp'> | null;
  readonly mail: MailParts | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Default one second and five minutes. */
  readonly pausesMs?: Pick<OutboxParts<Notification>, 'firstPauseMs' | 'maxPauseMs'>;
  /** Minimum time between two mails, in milliseconds. Default one minute. */
  readonly mailGapMs?: number;
}

/** Queued notifications per channel, of about 500 bytes each. */
const MAX_WAITING = 1000;
/** Notifications in one mail. */
const MAIL_BATCH = 200;
const PAUSES_MS = { firstPauseMs: 1000, maxPauseMs: 5 * MINUTE_MS };

/** Starts a notifier with the configured channels. */
export function startNotifier(parts: NotifierParts): Notifier {
  const { webhook, mail, clock, logger, pausesMs = PAUSES_MS, mailGapMs = MINUTE_MS } = parts;
  const channels = new Map<Channel, Outbox<Notification>>();
  const open = (channel: Channel, how: Pick<OutboxParts<Notification>, 'deliver' | 'maxBatch' | 'gapMs'>) => {
    const outbox = createOutbox({
      ...how,
      ...pausesMs,
      maxWaiting: MAX_WAITING,
      onDown: (problem) => logger.warn('notifications.failed', { channel, problem }),
      onUp: (dropped) => logger.info('notifications.delivered_again', { channel, dropped }),
    });
    channels.set(channel, outbox);
  };
  if (webhook !== null) {
    const onGivenUp = ({ id, type }: Notification, problem: string) =>
      logger.warn('notifications.given_up', { channel: 'webhook', id, type, problem });
    const post = createWebhook({ ...webhook, clock, onGivenUp });
    const deliver = async (batch: readonly Notification[], stopping: AbortSignal) => {
      for (const one of batch) await post(one, stopping);
    };
    open('webhook', { deliver, maxBatch: 1 });
  }
  if (mail !== null) {
    const deliver = (batch: readonly Notification[], stopping: AbortSignal) => sendMail(batch, mail, stopping);
    open('mail', { deliver, maxBatch: MAIL_BATCH, gapMs: mailGapMs });
  }
  const put = (one: Notification) => {
    for (const outbox of channels.values()) outbox.put(one);
  };
  return {
    channels,
    blocked(record) {
      if (channels.size > 0) put(blockedCheck(record, clock.now()));
    },
    feedback: (stored) => put(receivedFeedback(stored, clock.now())),
    alert: (alert, change) => put(changedAlert(alert, change, clock.now())),
    notices: () =>
      [...channels]
        .filter(([name, { isUp }]) => !isUp || (name === 'mail' && mail?.sendmail() === null))
        .map(([name]) =>
          notice('notifications_failed', `Notifications by ${name} are not delivered.`, { channel: name }),
        ),
    async [Symbol.asyncDispose]() {
      await Promise.all([...channels.values()].map((outbox) => outbox[Symbol.asyncDispose]()));
    },
  };
}
