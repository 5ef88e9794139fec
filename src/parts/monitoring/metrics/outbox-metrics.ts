import type { Meters } from '#src/app/parts/meters.ts';
import type { OutboxStatus } from '#src/core/base/outbox.ts';

/** Registers the metrics of notifications, one value per channel. */
export function notificationMetrics(meters: Meters, channels: ReadonlyMap<string, OutboxStatus>): void {
  const ofEach = (read: (status: OutboxStatus) => number) => () =>
    Array.from(channels, ([channel, status]) => [{ channel }, read(status)] as const);
  const { readGauges, readCounters } = meters;
  readGauges(
    'lurecheck_notifications_up',
    '1 if the last delivery succeeded, otherwise 0.',
    ['channel'],
    ofEach(({ isUp }) => Number(isUp)),
  );
  readGauges(
    'lurecheck_notifications_waiting',
    'Notifications that are queued.',
    ['channel'],
    ofEach(({ waiting }) => waiting),
  );
  readCounters(
    'lurecheck_notifications_sent_total',
    'Notifications that were delivered.',
    ['channel'],
    ofEach(({ sent }) => sent),
  );
  readCounters(
    'lurecheck_notifications_dropped_total',
    'Notifications that a full queue dropped, or whose delivery was given up.',
    ['channel'],
    ofEach(({ dropped }) => dropped),
  );
}

/** Registers the metrics of syslog. */
export function syslogMetrics({ readGauge, readCounter }: Meters, syslog: OutboxStatus): void {
  readGauge('lurecheck_syslog_up', '1 if the log server took what it was last sent, otherwise 0.', () => syslog.isUp);
  readGauge('lurecheck_syslog_waiting', 'Messages that wait for the log server.', () => syslog.waiting);
  readCounter('lurecheck_syslog_sent_total', 'Messages that the log server was sent.', () => syslog.sent);
  readCounter(
    'lurecheck_syslog_dropped_total',
    'Messages that there was no room for while it was away.',
    () => syslog.dropped,
  );
}
