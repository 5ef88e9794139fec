import { Gauge, type Registry } from 'prom-client';
import type { LocalLog } from '#src/checks/store/local-log.ts';
import type { LogSize } from '#src/checks/store/upkeep/log-size.ts';
import { gaugePerVisibility } from './gauge-per-visibility.ts';

/** Registers the metrics of log size and disk space. Unreadable values are absent. */
export function logMetrics(registry: Registry, logs: Pick<LocalLog, 'size' | 'freeDiskBytes'>): void {
  const ofEach = (name: string, help: string, ofSize: (size: LogSize) => number | null) =>
    gaugePerVisibility(registry, { name, help, label: 'log' }, (log) => readable(() => ofSize(logs.size(log))));
  ofEach('lurecheck_log_checks', 'Checks that a log holds.', ({ checks }) => checks);
  ofEach('lurecheck_log_bytes', 'What is in the file of a log, without free room.', ({ usedBytes }) => usedBytes);
  ofEach('lurecheck_log_wal_bytes', 'Size of the write-ahead log of a log.', ({ walBytes }) => walBytes);
  ofEach(
    'lurecheck_log_oldest_check_timestamp_seconds',
    'When the oldest check of a log began, in seconds since the Unix epoch; absent where there is none.',
    ({ oldestMs }) => oldestMs && oldestMs / 1000,
  );
  new Gauge({
    name: 'lurecheck_log_disk_free_bytes',
    help: 'Free space of the disk that the logs lie on.',
    registers: [registry],
    collect() {
      this.remove();
      const free = readable(logs.freeDiskBytes);
      if (free !== null) this.set(free);
    },
  });
}

/** A damaged file or a failed disk must not prevent all other metrics. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
