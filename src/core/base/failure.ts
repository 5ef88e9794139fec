/**
 * All failures of probes, by code, with a description. The list is closed: code above the probes sees no other failure.
 */
export const FAILURES = {
  dns_nxdomain: 'the name does not exist',
  dns_no_data: 'the name exists but has no address',
  dns_server_failure: 'the resolver could not answer',
  dns_refused: 'the resolver refused to answer',
  dns_malformed: 'the resolver sent an answer that is not valid DNS',
  dns_chain_too_long: 'the chain of CNAME records is too long or circular',
  connection_refused: 'the server refused the connection',
  connection_reset: 'the connection was cut',
  unreachable: 'there is no route to the server',
  timeout: 'no answer came within the time allowed',
  aborted: 'the check ended before the answer came',
  tls_handshake_failed: 'no encrypted connection could be agreed',
  proxy_failed: 'the outgoing proxy did not open the connection',
  egress_denied: 'the egress policy does not allow this connection',
  egress_denied_name: 'the name leads to an address that the egress policy does not allow',
  egress_denied_mixed: 'the name leads to public addresses and to ones that are not, as in an attack by rebinding',
  too_many_redirects: 'the redirect chain is longer than allowed',
  redirect_invalid: 'a redirect points to something that is not a web address',
  response_malformed: 'the server sent something that is not valid for its protocol',
  response_header_too_large: 'the response headers are larger than allowed',
  response_too_large: 'the response is larger than allowed',
  content_undecodable: 'the content encoding could not be decoded',
  content_unread: 'a browser shows the content, but it cannot be read here',
  registration_not_found: 'the registry has no record of the domain',
  registration_no_server: 'no registry server is known for the suffix',
  registration_refused: 'the registry refused to answer, often because of its rate limit',
  parser_budget_exceeded: 'the page could not be read within its budget',
  overloaded: 'too many checks were in progress and waiting',
  internal_error: 'a fault of this program; its log has the details',
} as const;

export type FailureCode = keyof typeof FAILURES;

/**
 * One failed observation. `detail` is for the operator: it may name addresses, but no URLs, and is never sent to an API
 * client. It is logged at level `debug`, for public checks, and printed by `check --with-observations`.
 */
export interface Failure {
  readonly code: FailureCode;
  readonly detail: string;
}

/** Carries a {@link Failure} to `network/probes/run.ts`, which turns it into data. */
export class FailureError extends Error {
  override readonly name = 'FailureError';
  readonly code: FailureCode;
  /** Class of the address that was denied; null for any other failure. */
  readonly denied: string | null;

  constructor(
    code: FailureCode,
    detail: string = FAILURES[code],
    options: ErrorOptions & { readonly denied?: string } = {},
  ) {
    super(detail, options);
    this.code = code;
    this.denied = options.denied ?? null;
  }

  get failure(): Failure {
    return { code: this.code, detail: this.message };
  }
}
