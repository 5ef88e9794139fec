import { Gauge, type Registry } from 'prom-client';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import { withTimeout } from '#src/core/base/with-timeout.ts';
import { gaugePerVisibility } from './gauge-per-visibility.ts';

/** Timeout of a database query, in milliseconds. */
const PATIENCE_MS = 1000;

/** Sources of database metrics. */
export type MeasuredDatabases = Pick<DatabaseLog, 'isUnavailable' | 'waiting' | 'setAside' | 'fleet'>;

/** Registers the metrics of log databases and of the fleet. */
export function databaseMetrics(registry: Registry, logs: MeasuredDatabases): void {
  gaugePerVisibility(
    registry,
    {
      name: 'lurecheck_log_database_up',
      help: '1 if the database of a log accepted the last write, otherwise 0.',
      label: 'log',
    },
    (log) => (logs.isUnavailable(log) ? 0 : 1),
  );
  gaugePerVisibility(
    registry,
    {
      name: 'lurecheck_spool_rows',
      help: 'Checks that wait on this node for the database of their log.',
      label: 'log',
    },
    logs.waiting,
  );
  gaugePerVisibility(
    registry,
    {
      name: 'lurecheck_spool_set_aside_rows',
      help: 'Answered checks that the database of their log refused; they stay on this node until the operator retries or drops them.',
      label: 'log',
    },
    logs.setAside,
  );
  new Gauge({
    name: 'lurecheck_fleet',
    help: 'Nodes that share the public log with a heartbeat within a minute, and how many versions, models and states of the lists they have; absent while the database is unavailable.',
    labelNames: ['of'],
    registers: [registry],
    async collect() {
      const fleet = await withTimeout(logs.fleet(), PATIENCE_MS).catch(() => null);
      this.reset();
      for (const [of, count] of Object.entries(fleet ?? {})) this.set({ of }, count);
    },
  });
}
