import { Gauge, type Registry } from 'prom-client';
import { answeredWithin } from '#src/core/base/with-timeout.ts';
import type { DatabaseLog } from '#src/checks/store/scan-log.ts';
import { gaugeOfEach } from './gauge-per-visibility.ts';

/** Whoever reads the metrics is not kept waiting by a database that hangs. */
const PATIENCE_MS = 1000;

/** What is asked of logs in databases. */
export type MeasuredDatabases = Pick<DatabaseLog, 'isAway' | 'waiting' | 'setAside' | 'fleet'>;

/** The families that tell how this node stands with the databases of its logs, and with the others that share them. */
export function databaseMetrics(registry: Registry, logs: MeasuredDatabases): void {
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
  gaugeOfEach(
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
    help: 'The nodes that share the public log and were heard of within a minute, and how many versions, models and states of the lists they have; nothing while the database is away.',
    labelNames: ['of'],
    registers: [registry],
    async collect() {
      const fleet = await answeredWithin(logs.fleet(), PATIENCE_MS).catch(() => null);
      this.reset();
      for (const [of, count] of Object.entries(fleet ?? {})) this.set({ of }, count);
    },
  });
}
