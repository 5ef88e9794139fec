import type { DocumentDecoration } from 'elysia';
import { DECISIONS } from '#src/record/check-result.ts';
import { EXAMPLES } from './doc-examples.ts';
import { refusals } from './doc-refusals.ts';
import type { SCHEMAS } from './schemas.ts';

type Responses = NonNullable<DocumentDecoration['responses']>;
type ParameterSchema = {
  type: 'string' | 'integer';
  minimum?: number;
  maximum?: number;
  default?: number;
  enum?: string[];
};
type Parameter = NonNullable<DocumentDecoration['parameters']>[number];

const ref = (name: keyof typeof SCHEMAS) => ({ $ref: `#/components/schemas/${name}` });
const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

const requestIdHeader = { 'X-Request-Id': header('X-Request-Id') };
const quotaHeaders = {
  ...requestIdHeader,
  'RateLimit-Policy': header('RateLimit-Policy'),
  RateLimit: header('RateLimit'),
};

function json(description: string, schema: keyof typeof SCHEMAS, example: unknown): Responses[string] {
  return { description, headers: requestIdHeader, content: { 'application/json': { schema: ref(schema), example } } };
}

const inQuery = (name: string, description: string, schema: ParameterSchema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  ...(example !== undefined && { example }),
});

/** What the OpenAPI document says of each route of the API. */
export const DOCS = {
  checkUrl: {
    operationId: 'checkUrl',
    tags: ['Checks'],
    summary: 'Check one URL',
    description:
      'Says how likely the URL is phishing, what to do about it, and why. The answer goes out only after the check is ' +
      'logged: in the public scan history, or, with `private_mode`, in the private log, with the same result. Ask with ' +
      '`Accept: text/event-stream` to see the stages while the check runs.',
    requestBody: {
      required: true,
      description: 'JSON of at most 32 KiB, not encoded.',
      content: { 'application/json': { schema: ref('CheckRequest'), example: EXAMPLES.checkRequest } },
    },
    responses: {
      200: {
        description: 'The finished check.',
        headers: quotaHeaders,
        content: {
          'application/json': { schema: ref('CheckResult'), example: EXAMPLES.checkResult },
          'text/event-stream': {
            schema: {
              type: 'string',
              description:
                'Events `stage` (`{stage, state, elapsed_seconds}`; `stage` is `observe`, one of its probes, `assess` or `log`, `state` ' +
                '`started` or `finished`, the seconds count from the beginning of the check), then one ' +
                '`result` (a CheckResult), or one `problem` (a Problem) where the check could not be finished.',
            },
            example: EXAMPLES.stages,
          },
        },
      },
      ...refusals(400, 403, 413, 415, 421, 429, 500, 503),
    },
  },
  history: {
    operationId: 'listHistory',
    tags: ['Checks'],
    summary: 'Read the public scan history',
    description:
      'Public checks, newest first. Follow `next_cursor` until it is null; checks that come in meanwhile do not disturb ' +
      'the pages. Unknown parameters are ignored.',
    parameters: [
      inQuery('limit', 'Checks on the page', { type: 'integer', minimum: 1, maximum: 500, default: 50 }, 50),
      inQuery('cursor', '`next_cursor` of the page before', { type: 'string' }),
      inQuery('decision', 'Only checks with this verdict', { type: 'string', enum: [...DECISIONS] }, 'block'),
      inQuery('domain', 'Only hosts that are this name or end with it', { type: 'string' }, 'example.com'),
      inQuery('from', 'The first moment that counts: an ISO 8601 time or date (UTC)', { type: 'string' }, '2026-01-31'),
      inQuery('until', 'The first moment that no longer counts', { type: 'string' }, '2026-01-31T12:00:00Z'),
    ],
    responses: {
      200: json('One page.', 'HistoryPage', EXAMPLES.historyPage),
      ...refusals(400, 404, 421, 500),
    },
  },
  stats: {
    operationId: 'readStats',
    tags: ['Checks'],
    summary: 'Read what the public checks add up to',
    description:
      'Counts of public checks alone; 404 where the operator switched the public history off. Durations are in seconds, free disk space in whole percents.',
    responses: { 200: json('The statistics.', 'Stats', EXAMPLES.stats), ...refusals(404, 421, 500) },
  },
  livez: {
    operationId: 'isLive',
    tags: ['Health'],
    summary: 'Does the process answer?',
    description: 'Answers 200 as long as the process runs.',
    responses: { 200: json('It does.', 'Health', { status: 'live' }), ...refusals(500) },
  },
  readyz: {
    operationId: 'isReady',
    tags: ['Health'],
    summary: 'Can checks be taken?',
    description:
      'Answers 503 while the service shuts down or cannot keep its logs. Where nobody checked for half a minute, it is tried.',
    responses: { 200: json('They can.', 'Readiness', { status: 'ready', notices: [] }), ...refusals(500, 503) },
  },
} satisfies Record<string, DocumentDecoration>;
