import { Type } from '@sinclair/typebox';
import { CheckResultSchema } from '#src/record/check-result.ts';
import { HistoryPageSchema } from '#src/record/history-page.ts';
import { StatsSchema } from '#src/record/stats.ts';
import { MAX_URL_LENGTH } from '#src/url/target.ts';

const CheckRequestSchema = Type.Object(
  {
    url: Type.String({
      maxLength: MAX_URL_LENGTH,
      description:
        'The URL to check: absolute, `http:` or `https:`, with a host, at most 8,192 characters (UTF-16 code units)',
    }),
    private_mode: Type.Optional(
      Type.Boolean({
        default: false,
        description: '`false`: logged in the public scan history. `true`: logged privately, never shown there',
      }),
    ),
  },
  { additionalProperties: false, description: 'What to check. Other members, and one that occurs twice, are refused' },
);

const ProblemSchema = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'Kind of the problem; `about:blank`: see `status`' }),
    title: Type.String({ description: 'Name of the status' }),
    status: Type.Integer({ description: 'HTTP status' }),
    detail: Type.String({ description: 'What is wrong and what to do' }),
    request_id: Type.String({ format: 'uuid', description: 'Also in `X-Request-Id`; quote it to the operator' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Member or parameter' }),
          message: Type.String({ description: 'What is wrong with it' }),
        }),
        {
          description: 'One entry a bad field of the request',
        },
      ),
    ),
  },
  { description: 'Why a request was refused (RFC 9457)' },
);

const HealthSchema = Type.Object(
  { status: Type.Literal('live', { description: 'Always `live`' }) },
  { description: 'The process runs' },
);

const ReadinessSchema = Type.Object(
  {
    status: Type.Literal('ready', { description: 'Always `ready`' }),
    notices: Type.Array(Type.String(), {
      description:
        'What was lost from the logs, a sentence each, until the operator has taken notice; empty where all is well',
    }),
  },
  { description: 'The service takes checks' },
);

/** The schemas of the OpenAPI document, by name. */
export const SCHEMAS = {
  CheckRequest: CheckRequestSchema,
  CheckResult: CheckResultSchema,
  HistoryPage: HistoryPageSchema,
  Stats: StatsSchema,
  Problem: ProblemSchema,
  Health: HealthSchema,
  Readiness: ReadinessSchema,
} as const;
