import { openLocalLog } from '#src/checks/store/local-log.ts';
import type { LocalLogOptions } from '#src/checks/store/open-files.ts';
import { systemClock } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';

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
