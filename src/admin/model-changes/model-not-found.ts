/** A model, or an earlier choice of one, does not exist; the message says where to look. */
export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError';
}
