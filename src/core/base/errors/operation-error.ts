import { ERRORS, type ErrorCode } from './error-table.ts';

/** The service cannot accept a request now: overloaded, stopping, unable to log, or to read a message in time. A retry may succeed. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly code: 'overloaded' | 'stopping' | 'log_unavailable' | 'unexamined';
  /** Delay before a retry, in whole seconds. */
  readonly retryAfterSeconds: number;

  constructor(code: UnavailableError['code'], message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An error that has a row in the table of errors. */
export interface CodedError extends Error {
  readonly errorCode: ErrorCode;
  /** Text for a client, without paths and the name of the input; null for the message. */
  readonly clientText?: string | null;
}

/** An act of the operator that cannot be done; `problems` has one sentence per fault. */
export class OperationError extends Error implements CodedError {
  override readonly name: string = 'OperationError';
  readonly errorCode: ErrorCode;
  readonly problems: readonly string[];
  readonly clientText: string | null;

  constructor(
    code: ErrorCode,
    problems: readonly string[],
    options: ErrorOptions & Partial<Pick<CodedError, 'clientText'>> = {},
  ) {
    super(problems.join('\n'), options);
    this.errorCode = code;
    this.problems = problems;
    this.clientText = options.clientText ?? null;
  }
}

/** Returns what `read` returns; null if it throws an {@link OperationError}, such as for an unusable file. */
export async function unlessUnusable<T>(read: () => T | Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OperationError) return null;
    throw error;
  }
}

/** An error as data: errors lose their class between threads. */
export type OperationFault = Pick<OperationError, 'errorCode' | 'problems' | 'clientText'>;

/** Returns an error as data. Throws any error of another class again. */
export function toOperationFault(error: unknown): OperationFault {
  if (!(error instanceof OperationError)) throw error;
  const { errorCode, problems, clientText } = error;
  return { errorCode, problems, clientText };
}

/** Recreates an error of another thread. */
export function toOperationError({ errorCode, problems, clientText }: OperationFault): OperationError {
  return new OperationError(errorCode, problems, { clientText });
}

/** Returns true for an error of the table. */
export function isCoded(error: unknown): error is CodedError {
  return error instanceof Error && 'errorCode' in error && Object.hasOwn(ERRORS, String(error.errorCode));
}
