import { UNAUTHORIZED } from '../keys/bearer.ts';
import { answer } from './answer.ts';
import type { BodyText } from './documented.ts';
import { MISDIRECTED } from './misdirected.ts';
import { badFields, type Problem, ProblemSchema, problemBody } from './problem.ts';
import { PROBLEM_CODES, PROBLEM_KINDS, type ProblemCode, type StatusOf } from './problem-kinds.ts';

/** An example of each kind of problem. */
const EXAMPLES: { readonly [Code in ProblemCode]: Omit<Problem, 'code'> } = {
  invalid_json: { detail: 'The body is not JSON.' },
  invalid_body: badFields([{ field: 'url', code: 'invalid_body', message: 'is required' }]),
  unknown_member: badFields([
    { field: 'privateMode', code: 'unknown_member', message: 'is not a member of this request' },
  ]),
  invalid_url: badFields([{ field: 'url', code: 'invalid_url', message: 'is not a valid URL' }]),
  unsupported_scheme: badFields([
    { field: 'url', code: 'unsupported_scheme', message: 'must begin with http:// or https://, not ftp:' },
  ]),
  url_too_long: badFields([
    { field: 'url', code: 'url_too_long', message: 'must be at most 8192 characters long, this one has 9001' },
  ]),
  invalid_parameter: badFields([
    { field: 'limit', code: 'invalid_parameter', message: 'must be a whole number from 1 to 500' },
  ]),
  unauthorized: UNAUTHORIZED,
  forbidden_scope: { detail: 'This key is not for this: it lacks the scope "check".' },
  insecure_connection: { detail: 'Signing in needs TLS: a key must not cross the network in clear text.' },
  cross_site: { detail: 'Pages of other sites cannot start checks here.' },
  not_found: { detail: 'There is nothing at this path; /swagger lists what there is.' },
  switched_off: { detail: 'The operator has switched the public history off.' },
  method_not_allowed: { detail: 'The methods here are POST, OPTIONS.' },
  conflict: { detail: 'There is a list named feed already.' },
  precondition_failed: { detail: 'Somebody else changed this meanwhile. Read it again, then repeat the change.' },
  body_too_large: { detail: 'The body must be at most 32768 bytes long.' },
  unsupported_media_type: { detail: 'Send the body as JSON, with the header Content-Type: application/json.' },
  misdirected: MISDIRECTED,
  precondition_required: { detail: 'Send If-Match with the ETag of what you read.' },
  rate_limited: { detail: 'At most 20 checks a minute are admitted. Try again in 7 s.' },
  internal: { detail: 'The service has a fault. Its log has the details under the request_id.' },
  overloaded: { detail: 'Too many checks are under way. Try again in 4 s.' },
  feed_unavailable: { detail: 'The lists cannot be read, so that there is no feed.' },
  stopping: { detail: 'The service is shutting down.' },
  audit_unavailable: { detail: 'The audit log is damaged, so nothing was changed; see lurecheck audit verify.' },
  log_unavailable: { detail: 'The check could not be logged, so it is not answered: the disk is full.' },
  unexamined: { detail: 'The message could not be read in time, so that it has no verdict.' },
};

const HEADERS: { readonly [Status in StatusOf<ProblemCode>]?: BodyText['headers'] } = {
  429: ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
  503: ['Retry-After'],
};

/** Refusals of a limited request with a JSON body. */
export const LIMITED_REFUSALS = [
  'invalid_json',
  'invalid_body',
  'unknown_member',
  'invalid_parameter',
  'unauthorized',
  'forbidden_scope',
  'cross_site',
  'body_too_large',
  'unsupported_media_type',
  'misdirected',
  'rate_limited',
  'internal',
  'overloaded',
] as const;

/** The refusals that a route may answer with, by status. */
export function refusals<Code extends ProblemCode>(
  ...codes: readonly Code[]
): Record<StatusOf<Code>, typeof ProblemSchema> {
  const wanted = new Set<ProblemCode>(codes);
  const own = PROBLEM_CODES.filter((code) => wanted.has(code));
  const byStatus = Map.groupBy(own, (code) => PROBLEM_KINDS[code].status);
  const answers = Array.from(byStatus, ([status, kinds]) => [status, refusal(status, kinds)] as const);
  return Object.fromEntries(answers) as Record<StatusOf<Code>, typeof ProblemSchema>;
}

function refusal(status: StatusOf<ProblemCode>, codes: readonly ProblemCode[]) {
  return answer(ProblemSchema, () => ({
    description: codes.map((code) => `\`${code}\`: ${PROBLEM_KINDS[code].meaning}`).join(' '),
    headers: HEADERS[status] ?? [],
    examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
  }));
}

function exampleOf(code: ProblemCode) {
  return {
    summary: PROBLEM_KINDS[code].meaning,
    value: problemBody({ ...EXAMPLES[code], code }, '0198c0de-0000-7a11-8b3c-5d9f1e2a4c6b'),
  };
}
