import { answer } from './answer.ts';
import type { BodyText } from './documented.ts';
import { badFields, type Problem, ProblemSchema, problemBody } from './problem.ts';
import { MISDIRECTED } from './request-site.ts';

const said = (status: Problem['status'], detail: string): Problem => ({ status, detail });

/** Each refusal that a route may declare: what it means, and an example of it. */
const REFUSALS = {
  400: refusal(
    'The request is malformed; `errors` names each bad field.',
    badFields([{ field: 'url', message: 'must begin with http:// or https://, not ftp:' }]),
  ),
  403: refusal(
    'A browser sent the request on behalf of another site.',
    said(403, 'Pages of other sites cannot start checks here.'),
  ),
  404: refusal('The operator has switched this off.', said(404, 'The operator has switched the public history off.')),
  413: refusal('The body is larger than 32 KiB.', said(413, 'The body must be at most 32768 bytes long.')),
  415: refusal(
    'The body is not `application/json`, or it is encoded.',
    said(415, 'Send the body as JSON, with the header Content-Type: application/json.'),
  ),
  421: refusal('The `Host` is none that the service answers to.', MISDIRECTED),
  429: refusal(
    'The client is over its limit. `Retry-After` says when the next check is admitted.',
    said(429, 'At most 20 checks a minute are admitted. Try again in 7 s.'),
    ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
  ),
  500: refusal(
    'A fault of the service. Its log has the details under the `request_id`.',
    said(500, 'The service has a fault. Its log has the details under the request_id.'),
  ),
  503: refusal(
    'The service starts, shuts down, is overloaded or cannot keep its log.',
    said(503, 'Too many checks are waiting.'),
    ['Retry-After'],
  ),
};

function refusal(description: string, problem: Problem, headers: BodyText['headers'] = []) {
  const example = problemBody(problem, '0198c0de-0000-7a11-8b3c-5d9f1e2a4c6b');
  return answer(ProblemSchema, { description, headers, example });
}

/** The refusals of a route, by status. */
export function refusals<S extends keyof typeof REFUSALS>(...statuses: S[]): Record<S, typeof ProblemSchema> {
  return Object.fromEntries(statuses.map((status) => [status, REFUSALS[status]])) as Record<S, typeof ProblemSchema>;
}
