import { createHash } from 'node:crypto';
import { type Problem, ProblemError } from '../http/problem.ts';

const REQUIRED: Problem = {
  code: 'precondition_required',
  detail: 'Read the object first, and send its ETag in If-Match, so that nobody overwrites the change of another.',
};

/** Refusal of a change of an object that is not as its client read it. */
export const PRECONDITION_FAILED: Problem = {
  code: 'precondition_failed',
  detail: 'Somebody else changed this meanwhile. Read it again, then repeat the change.',
};

/** Returns the strong entity tag of an object: a digest of its content as JSON. */
export function etagOf(content: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
}

/**
 * Refuses the change of an object that is not as its client read it (RFC 9110 §13.1.1). Throws ProblemError 428 without
 * `If-Match`, and 412 if no tag in it is the present one.
 *
 * @param etag tag of the object as it is now
 */
export function requireMatch({ headers }: Pick<Request, 'headers'>, etag: string): void {
  const sent = headers.get('if-match');
  if (sent === null) throw new ProblemError(REQUIRED);
  const tags = sent.split(',').map((tag) => tag.trim());
  if (!tags.includes(etag) && sent.trim() !== '*') throw new ProblemError(PRECONDITION_FAILED);
}
