/** Refusals of every route of the console. */
export const CONSOLE_REFUSALS = [
  ...(['invalid_parameter', 'unauthorized', 'forbidden_scope', 'cross_site', 'misdirected'] as const),
  ...(['rate_limited', 'internal', 'overloaded', 'audit_unavailable'] as const),
] as const;

/** Refusals of routes that change an existing object. */
export const CHANGE_REFUSALS = [
  ...CONSOLE_REFUSALS,
  ...(['conflict', 'precondition_required', 'precondition_failed'] as const),
] as const;

/** Additional refusals of routes that take JSON. */
export const BODY_REFUSALS = [
  ...(['invalid_json', 'invalid_body', 'unknown_member', 'body_too_large', 'unsupported_media_type'] as const),
] as const;
