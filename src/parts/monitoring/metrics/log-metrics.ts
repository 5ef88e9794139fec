import type { Meters } from '#src/app/parts/meters.ts';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import type { LogSize } from '#src/checks/store/upkeep/log-size.ts';
import type { OutboxStatus } from '#src/core/base/outbox.ts';
import { withTimeout } from '#src/core/base/timers.ts';
import { VISIBILITIES, type Visibility } from '#src/core/base/visibility.ts';

/** Timeout of a database query, in milliseconds. */
const PATIENCE_MS = 1000;

/** Sources of database metrics. */
export type MeasuredDatabases = Pick<DatabaseLog, 'isUnavailable' | 'waiting' | 'setAside' | 'fleet'>;

/** Registers the metrics of log size and disk space. Unreadable values are absent. */
export function logMetrics(meters: Meters, logs: Pick<LocalLog, 'size' | 'freeDiskBytes'>): void {
  const ofEach = (name: string, help: string, ofSize: (size: LogSize) => number | null) =>
    gaugePerVisibility(meters, name, help, 'log', (log) => readable(() => ofSize(logs.size(log))));
  ofEach('lurecheck_log_checks', 'Checks that a log holds.', ({ checks }) => checks);
  ofEach('lurecheck_log_messages', 'Messages that a log holds.', ({ messages }) => messages);
  ofEach('lurecheck_log_bytes', 'What is in the file of a log, without free room.', ({ usedBytes }) => usedBytes);
  ofEach('lurecheck_log_wal_bytes', 'Size of the write-ahead log of a log.', ({ walBytes }) => walBytes);
  ofEach(
    'lurecheck_log_oldest_check_timestamp_seconds',
    'When the oldest check of a log began, in seconds since the Unix epoch; absent where there is none.',
    ({ oldestMs }) => oldestMs && oldestMs / 1000,
  );
  meters.readGauge('lurecheck_log_disk_free_bytes', 'Free space of the disk that the logs lie on.', () =>
    readable(logs.freeDiskBytes),
  );
}

/** A damaged file or a failed disk must not prevent all other metrics. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Registers the metrics of log databases and of the fleet. */
export function databaseMetrics(meters: Meters, logs: MeasuredDatabases): void {
  gaugePerVisibility(
    meters,
    'lurecheck_log_database_up',
    '1 if the database of a log accepted the last write, otherwise 0.',
    'log',
    (log) => (logs.isUnavailable(log) ? 0 : 1),
  );
  gaugePerVisibility(
    meters,
    'lurecheck_spool_rows',
    'Checks that wait on this node for the database of their log.',
    'log',
    logs.waiting,
  );
  gaugePerVisibility(
    meters,
    'lurecheck_spool_set_aside_rows',
    'Answered checks that the database of their log refused; they stay on this node until the operator retries or drops them.',
    'log',
    logs.setAside,
  );
  meters.readGauges(
    'lurecheck_fleet',
    'Nodes that share the public log with a heartbeat within a minute, and how many versions, models and states of the lists they have; absent while the database is unavailable.',
    ['of'],
    async () => {
      const fleet = await withTimeout(logs.fleet(), PATIENCE_MS).catch(() => null);
      return Object.entries(fleet ?? {}).map(([of, count]) => [{ of }, count]);
    },
  );
}

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

/** Registers a gauge with one value for public and one for private checks; a null value is absent from the scrape. */
export function gaugePerVisibility(
  { readGauges }: Meters,
  name: string,
  help: string,
  label: 'log' | 'visibility',
  read: (visibility: Visibility) => number | null,
): void {
  readGauges(name, help, [label], () =>
    VISIBILITIES.flatMap((visibility) => {
      const value = read(visibility);
      return value === null ? [] : [[{ [label]: visibility }, value] as const];
    }),
  );
}
