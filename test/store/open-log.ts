import { systemClock } from '#src/base/clock.ts';
import { createLogger } from '#src/base/logger.ts';
import { type LocalLogOptions, openLocalLog } from '#src/store/local-log.ts';

/** Opens the logs for a test; a server's, unless it says otherwise. */
export function openLog(dataDir: string, options: Partial<LocalLogOptions> = {}): ReturnType<typeof openLocalLog> {
  return openLocalLog({
    dataDir,
    access: 'serve',
    clock: systemClock,
    logger: createLogger('error', () => {}),
    ...options,
  });
}
