/** Response of the interfaces to an error. */
export interface ErrorKind {
  /** Code of the problem in the API, which decides the HTTP status. */
  readonly problem: 'audit_unavailable' | 'conflict' | 'invalid_body' | 'not_found' | 'precondition_failed';
  /** Exit code of a command: 1 if the work failed, 2 if a name, an option or a setting is wrong. */
  readonly exit: 1 | 2;
  /** True if the content of a request is at fault: `invalid_body` if the route knows the field, which the answer names. */
  readonly isOfField?: true;
}

/** Every error of an act of the operator, by its code. Codes are never renamed. */
export const ERRORS = {
  settings: { problem: 'conflict', exit: 2 },
  audit_damaged: { problem: 'audit_unavailable', exit: 1 },
  audit_unwritable: { problem: 'audit_unavailable', exit: 1 },
  busy: { problem: 'conflict', exit: 2 },
  changed_meanwhile: { problem: 'conflict', exit: 2 },
  file_damaged: { problem: 'conflict', exit: 2 },
  file_unwritable: { problem: 'conflict', exit: 2 },
  database_unusable: { problem: 'conflict', exit: 2 },
  feeds_failed: { problem: 'conflict', exit: 2 },
  list_content: { problem: 'conflict', exit: 1, isOfField: true },
  list_refused: { problem: 'conflict', exit: 1 },
  list_not_found: { problem: 'conflict', exit: 1 },
  entry_not_found: { problem: 'conflict', exit: 1 },
  nothing_to_roll_back: { problem: 'conflict', exit: 1 },
  source_failed: { problem: 'conflict', exit: 1 },
  model_unusable: { problem: 'conflict', exit: 2 },
  model_not_found: { problem: 'not_found', exit: 2 },
  brand_refused: { problem: 'conflict', exit: 2, isOfField: true },
  brand_not_found: { problem: 'not_found', exit: 2 },
  key_exists: { problem: 'conflict', exit: 2 },
  key_not_found: { problem: 'not_found', exit: 2 },
  key_changed: { problem: 'precondition_failed', exit: 2 },
  feedback_refused: { problem: 'conflict', exit: 1 },
  backup_failed: { problem: 'conflict', exit: 1 },
  pack_not_found: { problem: 'not_found', exit: 2 },
  pack_invalid: { problem: 'invalid_body', exit: 1 },
  pack_refused: { problem: 'conflict', exit: 1 },
} as const satisfies Readonly<Record<string, ErrorKind>>;

/** Code of an error in the table. */
export type ErrorCode = keyof typeof ERRORS;
