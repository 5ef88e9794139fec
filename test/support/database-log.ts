import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { openPostgresLog, type PostgresLogOptions } from '#src/parts/postgres/postgres-log.ts';
import { PATIENT_MS } from './patience.ts';
import type { Databases } from './postgres.ts';

/** Opens the logs in a test's databases: as a node, unless it is only to read. What is told goes to `lines`. */
export function openDatabaseLog(
  databases: Databases,
  dataDir: string,
  options: Partial<PostgresLogOptions> = {},
  lines: string[] = [],
): ReturnType<typeof openPostgresLog> {
  const role = options.access === 'read' ? 'operator' : 'node';
  return openPostgresLog({
    urls: { public: [databases.url('public', role)], private: [databases.url('private', role)] },
    access: 'serve',
    dataDir,
    nodeName: 'node-1',
    timeoutMs: PATIENT_MS,
    spoolRows: 0,
    clock: systemClock,
    logger: createLogger('debug', (line) => void lines.push(line)),
    ...options,
  });
}
