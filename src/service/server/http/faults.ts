import { KindGuard } from '@sinclair/typebox';
import { ParseError, ValidationError } from 'elysia';
import { type Clock, oncePerMinute, systemClock } from '#src/core/base/clock.ts';
import { ERRORS, type ErrorKind } from '#src/core/base/errors/error-table.ts';
import { isCoded, UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { type Logger, stackFrames } from '#src/core/base/logger.ts';
import { breachOf } from './answer.ts';
import { fieldErrors } from './field-errors.ts';
import { badFields, type Problem, ProblemError } from './problem.ts';
import { PROBLEM_KINDS } from './problem-kinds.ts';

const INTERNAL: Problem = {
  code: 'internal',
  detail: 'The service has a fault. Its log has the details under the request_id.',
};

/** The request during which an error was thrown. */
export interface FaultyRequest {
  readonly requestId: string;
  /** True if only the location of the error may be stored. */
  readonly isPrivate: boolean;
}

/** Converts a thrown error into the problem that the client gets. */
export type ProblemOf = (error: unknown, request: FaultyRequest) => Problem;

/**
 * Converts every error into a problem. Internal faults are logged and not disclosed; refusals with 503 are logged once per
 * minute and code.
 */
export function createProblemOf(logger: Logger, clock: Pick<Clock, 'monotonicMs'> = systemClock): ProblemOf {
  const reports = new Map<string, ReturnType<typeof createReport>>();
  const createReport = (code: string) =>
    oncePerMinute(clock, (request_id: string, refused) =>
      logger.warn('request.unavailable', { code, request_id, refused }),
    );
  return (error, { requestId, isPrivate }) => {
    const refusal = refusalOf(error);
    // A stopping service has logged that.
    if (refusal && refusal.code !== 'stopping' && PROBLEM_KINDS[refusal.code].status === 503)
      reports.getOrInsertComputed(refusal.code, createReport)(requestId);
    if (refusal) return refusal;
    logger.error('server.fault', { request_id: requestId, error: loggableError(error, isPrivate) });
    return INTERNAL;
  };
}

function refusalOf(error: unknown): Problem | null {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof ParseError) return refusalOf(error.cause);
  if (error instanceof UnavailableError) {
    return { code: error.code, detail: error.message, headers: { 'retry-after': String(error.retryAfterSeconds) } };
  }
  const coded = codedProblem(error, null);
  // Errors about other files of the data directory are for the operator's routes alone.
  if (coded?.code === 'audit_unavailable') return coded;
  if (error instanceof ValidationError && error.type !== 'response') return invalidPart(error);
  return null;
}

/** Delay before a change is tried again whose record could not be written, in seconds. */
const RETRY_AFTER_S = '60';

/**
 * Returns the problem of an error of the table; null for any other error.
 *
 * @param field member of the body that such an error may be about; null for none
 */
export function codedProblem(error: unknown, field: string | null): Problem | null {
  if (!isCoded(error)) return null;
  const { problem, isOfField }: ErrorKind = ERRORS[error.errorCode];
  const text = error.clientText ?? error.message;
  if (isOfField && field !== null) return badFields([{ field, code: 'invalid_body', message: text }]);
  const headers = problem === 'audit_unavailable' ? { headers: { 'retry-after': RETRY_AFTER_S } } : {};
  return { code: problem, detail: sentence(text), ...headers };
}

function sentence(message: string): string {
  const begun = message.charAt(0).toUpperCase() + message.slice(1);
  return begun.endsWith('.') ? begun : `${begun}.`;
}

function invalidPart(error: ValidationError): Problem | null {
  const { value } = error;
  const schema = schemaOf(error);
  if (!KindGuard.IsObject(schema) || typeof value !== 'object' || value === null) return null;
  return badFields(fieldErrors(schema, value));
}

function schemaOf({ validator }: ValidationError) {
  return 'Schema' in validator ? validator.Schema() : validator;
}

function loggableError(error: unknown, isPrivate: boolean): unknown {
  if (error instanceof ParseError) return loggableError(error.cause, isPrivate);
  // The error itself quotes all of the answer.
  if (error instanceof ValidationError) return breachOf(schemaOf(error), error.value);
  return isPrivate ? stackFrames(error) : error;
}
