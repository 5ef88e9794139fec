/** We are not able to take a request now: full, shutting down, or unable to log. The same request may work later. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly code: 'overloaded' | 'stopping' | 'log_unavailable';
  /** Whole seconds after which it makes sense to ask again. */
  readonly retryAfterSeconds: number;

  constructor(code: UnavailableError['code'], message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
