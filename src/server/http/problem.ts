import { UnavailableError } from '#src/base/refusal.ts';
import { reply } from './reply.ts';

const TITLES = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Every status with which a request is refused. */
export type ProblemStatus = keyof typeof TITLES;

/** What is wrong with one field of a request. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Why a request is refused, as data. */
export interface Problem {
  readonly status: ProblemStatus;
  /** For the person who reads it: what is wrong and what to do. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a step refused the request. */
export function isProblem(value: object): value is Problem {
  return 'status' in value && 'detail' in value;
}

/** The body of a problem (RFC 9457 §3). */
export function problemBody(problem: Problem, requestId: string) {
  return {
    type: 'about:blank',
    title: TITLES[problem.status],
    status: problem.status,
    detail: problem.detail,
    request_id: requestId,
    ...(problem.errors && { errors: problem.errors }),
  };
}

/** A refusal as a response. */
export function replyProblem(
  requestId: string,
  problem: Problem,
  headers?: Readonly<Record<string, string>>,
): Response {
  const body = JSON.stringify(problemBody(problem, requestId));
  return reply(requestId, problem.status, 'application/problem+json', body, { ...headers, ...problem.headers });
}

/**
 * What a client is told of a thrown error. Of a fault of this program it learns nothing: null asks the caller to log
 * the error under the request's id and to answer with {@link INTERNAL_PROBLEM}.
 */
export function problemOfError(error: unknown): Problem | null {
  if (!(error instanceof UnavailableError)) return null;
  return { status: 503, detail: error.message, headers: { 'retry-after': String(error.retryAfterSeconds) } };
}

/** The answer to a fault of this program. */
export const INTERNAL_PROBLEM: Problem = {
  status: 500,
  detail: 'The service has a fault. Its log has the details under the request_id.',
};
