import { UnavailableError } from '#src/core/base/errors/operation-error.ts';

/**
 * Retry delay between that of a locked file, which is free in a moment, and that of a full disk, which a person frees.
 */
const RETRY_AFTER_SECONDS = 10;

/** Creates the error of a check that could not be logged; `why` is the end of a sentence for the public. */
export function notLoggedError(why: string, cause: unknown = null): UnavailableError {
  const message = `The check could not be logged, so it is not answered: ${why}.`;
  return new UnavailableError('log_unavailable', message, RETRY_AFTER_SECONDS, cause === null ? {} : { cause });
}

/** Creates the error of a check that arrived while the log closes. */
export function stoppingError(): UnavailableError {
  return new UnavailableError('stopping', 'The service is shutting down.', RETRY_AFTER_SECONDS);
}

/** Creates the error of a query that cannot be answered now. */
export function notReadableError(what: 'history' | 'statistics' | 'nodes', cause: unknown): UnavailableError {
  const message = `The ${what} cannot be read at the moment.`;
  return new UnavailableError('log_unavailable', message, RETRY_AFTER_SECONDS, { cause });
}
