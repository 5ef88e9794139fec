import type { CodedError } from '#src/core/base/errors/operation-error.ts';

/** A model, or an earlier choice of one, does not exist; the message says where to look. */
export class ModelNotFoundError extends Error implements CodedError {
  override readonly name = 'ModelNotFoundError';
  readonly errorCode = 'model_not_found';
}
