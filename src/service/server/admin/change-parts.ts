import { Type } from '@sinclair/typebox';
import type { Server } from 'bun';
import { codedProblem } from '../http/faults.ts';
import { parameter } from '../http/parameter.ts';
import { ProblemError } from '../http/problem.ts';
import type { SignedInParts } from './requester.ts';

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

/** Dependencies of routes that change what is active. */
export interface ChangeParts extends SignedInParts {
  /** Runs changes one after the other, so that nothing changes between the comparison of `If-Match` and the change. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** `preview=true`: the answer is the effect of the change, and nothing is changed. */
export const PREVIEW = {
  preview: Type.Optional(
    parameter('true or false', (text) => text === 'true' || text === 'false', {
      type: 'boolean',
      default: false,
      description: 'Return the effect of the change, and change nothing',
    }),
  ),
};

export const PreviewQuerySchema = Type.Object(PREVIEW);

/** Keeps a connection open that is silent during long work. */
export function waitLong({
  request,
  server,
}: {
  readonly request: Request;
  readonly server: Pick<Server<unknown>, 'timeout'> | null;
}): void {
  server?.timeout(request, 0);
}

/**
 * Runs an operation. Throws ProblemError for what it refuses.
 *
 * @param field member of the body that a refusal may be about; null for none
 */
export async function refusing<T>(operation: () => Promise<T>, field: string | null = null): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const problem = codedProblem(error, field);
    throw problem ? new ProblemError(problem) : error;
  }
}
