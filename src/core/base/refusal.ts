/** The service cannot accept a request now: overloaded, stopping, or unable to log. A retry may succeed. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly code: 'overloaded' | 'stopping' | 'log_unavailable';
  /** Delay before a retry, in whole seconds. */
  readonly retryAfterSeconds: number;

  constructor(code: UnavailableError['code'], message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
