/** Why a log cannot be opened or changed. */
export type StoreErrorCode =
  | 'locked'
  | 'not_found'
  | 'not_accessible'
  | 'disk_full'
  | 'file_too_large'
  | 'read_only'
  | 'io_error'
  | 'busy'
  | 'not_a_database'
  | 'damaged'
  | 'older_version'
  | 'newer_version'
  | 'unknown_history'
  | 'database'
  | 'wrong_database';

/** The data directory or the database is not usable as it is. The message says what to do; nothing was changed. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
