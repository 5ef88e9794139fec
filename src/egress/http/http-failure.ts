import { FailureError } from '#src/base/failure.ts';
import { socketFailure } from '../connect/socket-failure.ts';

/** The failure that an error of the runtime's HTTP client stands for. */
export function httpFailure(error: Error): FailureError {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new FailureError('response_header_too_large', code, { cause: error });
  if (code.startsWith('HPE_')) return new FailureError('response_malformed', code, { cause: error });
  return socketFailure(error, 'response_malformed');
}
