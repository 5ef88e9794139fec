import { type Static, Type } from '@sinclair/typebox';

const TITLES = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Every status with which a request is refused. */
export type ProblemStatus = keyof typeof TITLES;

const FieldErrorSchema = Type.Object({
  field: Type.String({ description: 'Member or parameter' }),
  message: Type.String({ description: 'What is wrong with it' }),
});

/** The body of a refusal (RFC 9457 §3). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'Kind of the problem; `about:blank`: see `status`' }),
    title: Type.String({ description: 'Name of the status' }),
    status: Type.Integer({ description: 'HTTP status' }),
    detail: Type.String({ description: 'What is wrong and what to do' }),
    request_id: Type.String({ format: 'uuid', description: 'Also in `X-Request-Id`; quote it to the operator' }),
    errors: Type.Optional(Type.Array(FieldErrorSchema, { description: 'One entry a bad field of the request' })),
  },
  { $id: 'Problem', description: 'Why a request was refused (RFC 9457)' },
);

export type ProblemBody = Static<typeof ProblemSchema>;

/** What is wrong with one field of a request. */
export type FieldError = Static<typeof FieldErrorSchema>;

/** Why a request is refused, as data. */
export interface Problem {
  readonly status: ProblemStatus;
  /** For the person who reads it: what is wrong and what to do. */
  readonly detail: string;
  readonly errors?: FieldError[];
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem as a body. */
export function problemBody({ status, detail, errors }: Omit<Problem, 'headers'>, requestId: string): ProblemBody {
  return {
    type: 'about:blank',
    title: TITLES[status],
    status,
    detail,
    request_id: requestId,
    ...(errors && { errors }),
  };
}

/** A refusal that names each bad field, in words and as data. */
export function badFields(errors: FieldError[]): Problem & { readonly status: 400 } {
  return { status: 400, detail: `${errors.map(({ field, message }) => `${field} ${message}`).join('; ')}.`, errors };
}

/** How a hook refuses a request: before the handler runs, Elysia gives it no other way to end it. */
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
