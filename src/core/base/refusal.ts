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
