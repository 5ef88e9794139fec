import { systemClock } from '#src/base/clock.ts';
import { createLogger } from '#src/base/logger.ts';
import { openScanLog, type ScanLogOptions } from '#src/store/scan-log.ts';

/** Opens the logs for a test; a server's, unless it says otherwise. */
export function openLog(dataDir: string, options: Partial<ScanLogOptions> = {}): ReturnType<typeof openScanLog> {
  return openScanLog({
    dataDir,
    access: 'serve',
    clock: systemClock,
    logger: createLogger('error', () => {}),
    ...options,
  });
}
