import { OperationError } from '#src/core/base/errors/operation-error.ts';
import type { Logger } from '#src/core/base/logger.ts';

/** Logs that a changed file was refused and what was active before stays so. */
export const logRefused =
  (event: string, logger: Pick<Logger, 'error'>) =>
  (error: unknown): void =>
    logger.error(event, error instanceof OperationError ? { problems: error.problems } : { error });
