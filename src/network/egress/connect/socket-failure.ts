import { FAILURES, type FailureCode, FailureError } from '#src/core/base/failure.ts';

const CODES: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ERR_SOCKET_CLOSED: 'connection_reset',
  ENETUNREACH: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'timeout',
};

/** Maps a socket error to a failure; `otherwise` if its code is unknown. */
export function socketFailure(error: unknown, otherwise: FailureCode): FailureError {
  if (error instanceof FailureError) return error;
  const { code, message } = errorParts(error);
  return new FailureError(CODES[code] ?? otherwise, `${code}: ${message}`.slice(0, 300), { cause: error });
}

function errorParts(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: 'unknown', message: FAILURES.internal_error };
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : error.name, message: error.message };
}
