import type { DocumentDecoration } from 'elysia';
import type { ProblemStatus } from '../http/problem.ts';

const REQUEST_ID = '0198c0de-0000-7a11-8b3c-5d9f1e2a4c6b';

const example = (status: ProblemStatus, title: string, detail: string, more: object = {}) => ({
  type: 'about:blank',
  title,
  status,
  detail,
  request_id: REQUEST_ID,
  ...more,
});

const REFUSALS: Record<Exclude<ProblemStatus, 405>, { readonly description: string; readonly example: object }> = {
  400: {
    description: 'The request is malformed; `errors` names each bad field.',
    example: example(400, 'Bad Request', 'url must begin with http:// or https://, not ftp:.', {
      errors: [{ field: 'url', message: 'must begin with http:// or https://, not ftp:' }],
    }),
  },
  403: {
    description: 'A browser sent the request on behalf of another site.',
    example: example(403, 'Forbidden', 'Pages of other sites cannot start checks here.'),
  },
  404: {
    description: 'The operator has switched this off.',
    example: example(404, 'Not Found', 'The operator has switched the public history off.'),
  },
  413: {
    description: 'The body is larger than 32 KiB.',
    example: example(413, 'Content Too Large', 'The body must be at most 32768 bytes long.'),
  },
  415: {
    description: 'The body is not `application/json`, or it is encoded.',
    example: example(
      415,
      'Unsupported Media Type',
      'Send the body as JSON, with the header Content-Type: application/json.',
    ),
  },
  421: {
    description: 'The `Host` is none of those that the operator named.',
    example: example(421, 'Misdirected Request', 'The service does not answer to this host name.'),
  },
  429: {
    description: 'The client is over its limit. `Retry-After` says when the next check is admitted.',
    example: example(429, 'Too Many Requests', 'At most 20 checks a minute are admitted. Try again in 7 s.'),
  },
  500: {
    description: 'A fault of the service. Its log has the details under the `request_id`.',
    example: example(
      500,
      'Internal Server Error',
      'The service has a fault. Its log has the details under the request_id.',
    ),
  },
  503: {
    description: 'The service starts, shuts down, is overloaded or cannot keep its log.',
    example: example(503, 'Service Unavailable', 'Too many checks are waiting.'),
  },
};

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** The refusals of a route, by status. */
export function refusals(...statuses: (keyof typeof REFUSALS)[]): NonNullable<DocumentDecoration['responses']> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: REFUSALS[status].description,
        headers: {
          'X-Request-Id': header('X-Request-Id'),
          ...(status === 429 && { 'RateLimit-Policy': header('RateLimit-Policy'), RateLimit: header('RateLimit') }),
          ...((status === 429 || status === 503) && { 'Retry-After': header('Retry-After') }),
        },
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            example: REFUSALS[status].example,
          },
        },
      },
    ]),
  );
}
