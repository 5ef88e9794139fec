/**
 * Every kind of problem, by its code: the status that it is answered with, and what it means. Programs rely on the
 * codes, so none is ever renamed, given another status or used for something else; new ones may be added.
 */
export const PROBLEM_KINDS = {
  invalid_json: {
    status: 400,
    meaning: 'The body is not JSON in UTF-8, is nested too deeply, or has a member that occurs twice.',
  },
  invalid_body: { status: 400, meaning: 'A member of the body is missing, or is not of its type.' },
  unknown_member: { status: 400, meaning: 'The body has a member that the operation does not know.' },
  invalid_url: { status: 400, meaning: '`url` is not an absolute URL with a host.' },
  unsupported_scheme: { status: 400, meaning: '`url` begins neither with `http:` nor with `https:`.' },
  url_too_long: { status: 400, meaning: '`url` is longer than 8,192 characters.' },
  invalid_parameter: { status: 400, meaning: 'A query parameter has an invalid value.' },
  unauthorized: {
    status: 401,
    meaning: 'The key is not known, has expired or was revoked, or none was sent where one is needed.',
  },
  forbidden_scope: { status: 403, meaning: 'The key does not have the scope for this.' },
  insecure_connection: { status: 403, meaning: 'Signing in needs TLS, unless the client is on this host.' },
  cross_site: { status: 403, meaning: 'A browser sent the request on behalf of another site.' },
  not_found: { status: 404, meaning: 'There is nothing at this path.' },
  switched_off: { status: 404, meaning: 'The operator has switched this off.' },
  method_not_allowed: { status: 405, meaning: 'The path has other methods, which `Allow` lists.' },
  conflict: { status: 409, meaning: 'An object of this name exists already, or the settings do not allow the change.' },
  precondition_failed: {
    status: 412,
    meaning: 'The object was changed since it was read: `If-Match` is not its `ETag`.',
  },
  body_too_large: {
    status: 413,
    meaning:
      'The body is larger than 32 KiB, with many URLs than 896 KiB, of a message than 2 MiB; a pack may have 64 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json` in UTF-8, or a message not `message/rfc822` either, or it is encoded.',
  },
  misdirected: { status: 421, meaning: 'The service does not answer to this `Host`.' },
  precondition_required: {
    status: 428,
    meaning: 'A change needs `If-Match` with the `ETag` of the object as it was read.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The client is over its limit; `Retry-After` states when its next check is admitted.',
  },
  internal: {
    status: 500,
    meaning: 'Internal fault; the log has the details under the `request_id`.',
  },
  overloaded: { status: 503, meaning: 'Too many checks are in progress; `Retry-After` states when to retry.' },
  feed_unavailable: { status: 503, meaning: 'A list cannot be read, and no feed is made of the others.' },
  stopping: { status: 503, meaning: 'The service shuts down.' },
  audit_unavailable: { status: 503, meaning: 'The audit log cannot be written, and no change is made unrecorded.' },
  log_unavailable: { status: 503, meaning: 'The log cannot be written or read, and no check is answered unlogged.' },
  unexamined: { status: 503, meaning: 'The message could not be read in time, and has no verdict.' },
} as const;

/** A kind of problem, as programs know it. */
export type ProblemCode = keyof typeof PROBLEM_KINDS;

/** The status of a kind of problem, or of several. */
export type StatusOf<Code extends ProblemCode> = (typeof PROBLEM_KINDS)[Code]['status'];

/** Every code. */
export const PROBLEM_CODES = Object.keys(PROBLEM_KINDS) as readonly ProblemCode[];

const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const satisfies Record<StatusOf<ProblemCode>, string>;

/** The members of a problem (RFC 9457 §3.1) that follow from its kind. */
export interface ProblemType<Code extends ProblemCode = ProblemCode> {
  /** A name and not an address: the API's document explains it. */
  readonly type: `urn:lurecheck:problem:${Code}`;
  /** The name of the status. */
  readonly title: string;
  readonly status: StatusOf<Code>;
}

/** Returns the members that all problems of a kind have in common. */
export function problemType<Code extends ProblemCode>(code: Code): ProblemType<Code> {
  const { status } = PROBLEM_KINDS[code];
  return { type: `urn:lurecheck:problem:${code}`, title: TITLES[status], status };
}
