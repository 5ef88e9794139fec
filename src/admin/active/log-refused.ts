import type { Logger } from '#src/core/base/logger.ts';
import { SettingsError } from '#src/core/base/settings/settings-error.ts';

/** Logs that a changed file was refused and what was active before stays so. */
export const logRefused =
  (event: string, logger: Pick<Logger, 'error'>) =>
  (error: unknown): void =>
    logger.error(event, error instanceof SettingsError ? { problems: error.problems } : { error });
