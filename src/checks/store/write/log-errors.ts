import { UnavailableError } from '#src/core/base/refusal.ts';

/** A full disk is freed by a person, a locked file is free in a moment: between the two. */
const RETRY_AFTER_SECONDS = 10;

/** A check that could not be logged; `why` is the end of a sentence that everybody may read. */
export function unlogged(why: string, cause: unknown = null): UnavailableError {
  const message = `The check could not be logged, so it is not answered: ${why}.`;
  return new UnavailableError('log_unavailable', message, RETRY_AFTER_SECONDS, cause === null ? {} : { cause });
}

/** A check that came while the log closed. */
export function stopping(): UnavailableError {
  return new UnavailableError('stopping', 'The service is shutting down.', RETRY_AFTER_SECONDS);
}

/** A question about one thing in the log that cannot be answered now. */
export function unreadable(what: 'history' | 'statistics', cause: unknown): UnavailableError {
  const message = `The ${what} cannot be read at the moment.`;
  return new UnavailableError('log_unavailable', message, RETRY_AFTER_SECONDS, { cause });
}
