import { type Clock, DAY_MS } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import type { ScanLog } from '../scan-log.ts';

/** How long checks are kept. */
export interface Retention {
  /** Whole days; 0 keeps them for good. */
  readonly days: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Removes checks that are older than `days` from both logs, now and once a day, until it is disposed of. */
export function startRetention(log: Pick<ScanLog, 'purge'>, { days, clock, logger }: Retention): Disposable {
  if (days === 0) return { [Symbol.dispose]() {} };
  const purge = async () => {
    const beforeMs = clock.now() - days * DAY_MS;
    for (const visibility of ['public', 'private'] as const) {
      try {
        const removed = await log.purge(visibility, beforeMs);
        if (removed > 0) logger.info('log.purged', { visibility, removed });
      } catch (error) {
        logger.error('log.purge_failed', { visibility, error });
      }
    }
  };
  void purge();
  const timer = setInterval(() => void purge(), DAY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
