import type { FieldError, Problem } from './problem.ts';

/** A refusal that names each bad field, in words and as data. */
export function badFields(errors: readonly FieldError[]): Problem {
  return { status: 400, detail: `${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`, errors };
}
