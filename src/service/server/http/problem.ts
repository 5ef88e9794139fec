import { type Static, Type } from '@sinclair/typebox';
import type { TargetProblem } from '#src/core/url/target.ts';
import { PROBLEM_CODES, PROBLEM_KINDS, type ProblemCode, problemType } from './problem-kinds.ts';

const FieldErrorSchema = Type.Object(
  {
    field: Type.String({ description: 'Member or parameter' }),
    message: Type.String({ description: 'The fault' }),
  },
  { $id: 'FieldError', description: 'A fault of one field of a request' },
);

/** An enumeration in the document, so that a compiler can ask a client for each code; later versions may add codes. */
const CodeSchema = Type.Unsafe<ProblemCode>(
  Type.String({
    enum: [...PROBLEM_CODES],
    description: `Kind of the problem, for programs. Later versions may add codes; these stay: ${PROBLEM_CODES.map(
      (code) => `\`${code}\` (${PROBLEM_KINDS[code].status}): ${PROBLEM_KINDS[code].meaning}`,
    ).join(' ')}`,
    examples: ['rate_limited'],
  }),
);

/** The body of a refusal (RFC 9457 §3). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'Kind of the problem: `urn:lurecheck:problem:` and `code`',
    }),
    title: Type.String({ description: 'Name of the status' }),
    status: Type.Integer({ description: 'HTTP status' }),
    detail: Type.String({ description: 'The fault and its remedy, for people' }),
    request_id: Type.String({ format: 'uuid', description: 'Also in `X-Request-Id`; quote it to the operator' }),
    code: CodeSchema,
    errors: Type.Optional(Type.Array(FieldErrorSchema, { description: 'One entry per invalid field of the request' })),
  },
  { $id: 'Problem', description: 'Why a request was refused (RFC 9457)' },
);

export type ProblemBody = Static<typeof ProblemSchema>;

export type FieldError = Static<typeof FieldErrorSchema>;

/** The same, and which kind of problem it is. */
export interface BadField extends FieldError {
  readonly code: FieldCode;
}

/** The kinds of problems that a field may have; all are answered with 400. */
export type FieldCode = 'invalid_body' | 'unknown_member' | 'invalid_parameter' | TargetProblem['code'];

/** Why a request is refused, as data. */
export interface Problem {
  readonly code: ProblemCode;
  /** The problem and its remedy, for people. */
  readonly detail: string;
  readonly errors?: FieldError[];
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem as a body. */
export function problemBody({ code, detail, errors }: Omit<Problem, 'headers'>, requestId: string): ProblemBody {
  return { ...problemType(code), detail, request_id: requestId, code, ...(errors && { errors }) };
}

/** A refusal that names each bad field, in words and as data; its kind is that of the first. */
export function badFields(fields: readonly BadField[]): Problem & { readonly code: FieldCode } {
  const errors = fields.map(({ field, message }) => ({ field, message }));
  return {
    code: fields[0]?.code ?? 'invalid_body',
    detail: `${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
    errors,
  };
}

/** Refuses a request in a hook: Elysia offers hooks no other way to end a request before the handler. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Ends a request that a hook found a problem with. */
export function refuse(problem: Problem | null): void {
  if (problem) throw new ProblemError(problem);
}
