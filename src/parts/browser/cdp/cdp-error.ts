/** Causes of a failed command: the connection is closed, no answer in time, an error, or too long an answer. */
export type CdpErrorCode = 'closed' | 'timeout' | 'refused' | 'too_long';

/** A command to a browser failed. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
  readonly code: CdpErrorCode;

  constructor(code: CdpErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
