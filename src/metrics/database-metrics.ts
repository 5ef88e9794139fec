import { Gauge, type Registry } from 'prom-client';
import { VISIBILITIES, type Visibility } from '#src/base/visibility.ts';
import type { DatabaseLog } from '#src/store/scan-log.ts';

/** The families that tell how this node stands with the databases of its logs. */
export function databaseMetrics(registry: Registry, logs: Pick<DatabaseLog, 'isAway' | 'waiting'>): void {
  const ofEach = (name: string, help: string, read: (log: Visibility) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['log'],
      registers: [registry],
      collect() {
        for (const log of VISIBILITIES) this.set({ log }, read(log));
      },
    });
  ofEach('lurecheck_log_database_up', 'Whether the database of a log took what it was last given: 1, or 0.', (log) =>
    logs.isAway(log) ? 0 : 1,
  );
  ofEach('lurecheck_spool_rows', 'Checks that wait on this node for the database of their log.', logs.waiting);
}
