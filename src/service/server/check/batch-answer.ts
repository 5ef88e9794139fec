import { type Static, Type } from '@sinclair/typebox';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { type Problem, ProblemSchema, problemBody } from '../http/problem.ts';

/** Why one URL of several was not checked. */
const ItemProblemSchema = Type.Object(
  {
    ...ProblemSchema.properties,
    retry_after_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Seconds to wait before this URL is sent again; omitted if a retry is useless',
      }),
    ),
  },
  { $id: 'ItemProblem', description: 'Why one of several URLs was not checked (RFC 9457)' },
);

const FailedItemSchema = Type.Object(
  {
    url: Type.Union([Type.String(), Type.Null()], { description: 'The URL as it was sent; null if none was sent' }),
    problem: ItemProblemSchema,
  },
  { $id: 'FailedItem', description: 'A URL that was not checked' },
);

/** The answer to a request with several URLs. */
export const BatchAnswerSchema = Type.Object(
  {
    items: Type.Array(Type.Union([CheckResultSchema, FailedItemSchema]), {
      description: 'One item per URL, in the order of the request',
    }),
  },
  { $id: 'BatchAnswer', description: 'Results of several URLs' },
);

export type FailedItem = Static<typeof FailedItemSchema>;
export type BatchAnswer = Static<typeof BatchAnswerSchema>;
export type BatchItem = BatchAnswer['items'][number];

/** Describes a URL of a batch that has a problem. */
export function failedItem(url: string | null, problem: Problem, requestId: string): FailedItem {
  const wait = problem.headers?.['retry-after'];
  const body = problemBody(problem, requestId);
  return { url, problem: wait === undefined ? body : { ...body, retry_after_seconds: Number(wait) } };
}
