import type { Registry } from 'prom-client';
import type { DatabaseLog } from '#src/store/scan-log.ts';
import { gaugeOfEach } from './gauge-of-each.ts';

/** The families that tell how this node stands with the databases of its logs. */
export function databaseMetrics(registry: Registry, logs: Pick<DatabaseLog, 'isAway' | 'waiting'>): void {
  gaugeOfEach(
    registry,
    {
      name: 'lurecheck_log_database_up',
      help: 'Whether the database of a log took what it was last given: 1, or 0.',
      label: 'log',
    },
    (log) => (logs.isAway(log) ? 0 : 1),
  );
  gaugeOfEach(
    registry,
    {
      name: 'lurecheck_spool_rows',
      help: 'Checks that wait on this node for the database of their log.',
      label: 'log',
    },
    logs.waiting,
  );
}
