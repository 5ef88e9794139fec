/** Refusals of every route of the console that reads. */
export const ADMIN_REFUSALS = [
  ...(['invalid_parameter', 'unauthorized', 'forbidden_scope', 'cross_site', 'misdirected'] as const),
  ...(['rate_limited', 'internal', 'overloaded'] as const),
] as const;

/** Refusals of the routes that change something: those of a body beside. */
export const ADMIN_CHANGE_REFUSALS = [
  ...ADMIN_REFUSALS,
  ...(['invalid_json', 'invalid_body', 'unknown_member', 'body_too_large', 'unsupported_media_type'] as const),
  'conflict',
] as const;

/** Refusals of the routes that change an object that exists. */
export const ADMIN_UPDATE_REFUSALS = [
  ...ADMIN_CHANGE_REFUSALS,
  ...(['not_found', 'precondition_failed', 'precondition_required'] as const),
] as const;
