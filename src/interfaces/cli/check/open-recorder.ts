import { type LogPlaceSettings, openLog } from '#src/app/open-log.ts';
import type { ScanLog } from '#src/checks/store/scan-log.ts';
import type { StoreSettings } from '#src/checks/store/settings.ts';
import { StoreError } from '#src/checks/store/store-error.ts';
import type { Logger } from '#src/core/base/logger.ts';
import { VISIBILITIES } from '#src/core/base/visibility.ts';

/** Settings of a command that logs checks. */
export type RecorderSettings = LogPlaceSettings & Pick<StoreSettings, 'retention_bytes'>;

/** Logs of a command that logs checks. */
export interface Recorder extends Pick<ScanLog, 'append'>, AsyncDisposable {
  readonly messages: Pick<ScanLog['messages'], 'append'>;
}

/**
 * Opens the logs for a command. At its end, the oldest checks of a log in files that exceeds `retention_bytes` are deleted;
 * a service that runs on the same data directory does that itself.
 *
 * @throws StoreError, SettingsError as {@link openLog}
 */
export async function openRecorder(config: RecorderSettings, logger: Logger): Promise<Recorder> {
  const { log, local, ...opened } = await openLog(config, 'append', logger);
  const { retention_bytes: bytes } = config;
  const exceeds = () =>
    bytes > 0 && VISIBILITIES.some((visibility) => (local?.size(visibility).usedBytes ?? 0) > bytes);
  return {
    append: log.append,
    messages: log.messages,
    async [Symbol.asyncDispose]() {
      const isTooLarge = exceeds();
      await opened[Symbol.asyncDispose]();
      if (isTooLarge) await trim(config, logger);
    },
  };
}

async function trim(config: RecorderSettings, logger: Logger): Promise<void> {
  try {
    await using opened = await openLog(config, 'serve', logger);
    for (const visibility of VISIBILITIES)
      await opened.local?.trim(visibility, { rows: 0, bytes: config.retention_bytes }, 0);
  } catch (error) {
    // A service runs there.
    if (!(error instanceof StoreError && error.code === 'locked')) throw error;
  }
}
