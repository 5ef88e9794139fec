import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { type Hop, redirectLocation } from '#src/network/egress/http/hop.ts';
import { type RdapAnswer, readRdapAnswer } from '#src/network/registry/rdap-answer.ts';
import { mergeFacts, type RegistrationFacts } from '#src/network/registry/registration-facts.ts';
import { RegistryLimitError, readRetryAfter } from './registry-throttle.ts';

/** Limits of one lookup, all hops together. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;

const NOT_FOUND = 404;
/** Too Many Requests, and Service Unavailable, which some servers send instead. */
const RATE_LIMIT_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** Dependencies of a lookup. */
export interface RdapTools {
  readonly egressClient: Pick<EgressClient, 'fetchHop'>;
  readonly clock: Clock;
  /** Time limit of the whole lookup. */
  readonly timeoutMs: number;
}

/**
 * Queries an RDAP server (RFC 9082, RFC 9083) for a domain. If the registry does not know the creation date, it queries
 * the related server that the registry names, once. Redirects and links are untrusted input: https only, no
 * credentials, and each is checked against the egress policy.
 *
 * Throws `registration_not_found`; `registration_refused` for any other refusal, as a {@link RegistryLimitError} if
 * there were too many questions; `response_malformed`, `response_too_large`, `too_many_redirects`, `redirect_invalid`;
 * and what the network throws.
 */
export async function queryRdap(
  base: string,
  domain: string,
  tools: RdapTools,
  signal: AbortSignal,
): Promise<RegistrationFacts> {
  const deadlineMs = tools.clock.monotonicMs() + tools.timeoutMs;
  const ask = async (url: string): Promise<RdapAnswer> => {
    const hop = await fetchAnswer(url, deadlineMs, tools, signal);
    const object = parseJson(new TextDecoder().decode(hop.body));
    if (object === undefined) throw new FailureError('response_malformed', 'the RDAP answer is not JSON');
    const answer = readRdapAnswer(object, domain, tools.clock.now());
    if (!answer) throw new FailureError('response_malformed', `the RDAP server did not answer for ${domain}`);
    return answer;
  };
  const { facts, related } = await ask(`${base}domain/${domain}`);
  if (facts.createdAt !== null || related === null) return facts;
  try {
    return mergeFacts(facts, (await ask(related)).facts);
  } catch (error) {
    // The registry's answer is valid without the other.
    if (error instanceof FailureError && error.code !== 'aborted') return facts;
    throw error;
  }
}

async function fetchAnswer(
  start: string,
  deadlineMs: number,
  { egressClient, clock }: RdapTools,
  signal: AbortSignal,
): Promise<Hop> {
  let url = secureTarget(start);
  for (let redirects = 0; ; redirects++) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    if (timeoutMs <= 0) throw new FailureError('timeout', 'the RDAP servers took too long');
    const hop = await egressClient.fetchHop(
      {
        url,
        headers: { accept: 'application/rdap+json, application/json' },
        bodyBytes: MAX_BODY_BYTES,
        timeoutMs,
        trustRequired: true,
        skipRedirectBody: true,
      },
      signal,
    );
    const location = redirectLocation(hop);
    if (location === null) return checkStatus(hop);
    if (redirects === MAX_REDIRECTS) throw new FailureError('too_many_redirects');
    url = secureTarget(readUrl(location, url.requestUrl)?.href ?? '');
  }
}

function secureTarget(url: string): Target {
  const target = parseTarget(url);
  if (isTargetProblem(target) || target.scheme !== 'https' || target.username !== '' || target.hasPassword) {
    throw new FailureError('redirect_invalid', 'RDAP servers are queried by https only and without credentials');
  }
  return target;
}

function checkStatus(hop: Hop): Hop {
  if (hop.status === NOT_FOUND) throw new FailureError('registration_not_found');
  if (RATE_LIMIT_STATUSES.has(hop.status)) {
    throw new RegistryLimitError(
      `the RDAP server answered ${hop.status}`,
      readRetryAfter(hop.headers.get('retry-after')),
    );
  }
  if (hop.status !== 200) throw new FailureError('registration_refused', `the RDAP server answered ${hop.status}`);
  if (hop.truncated) throw new FailureError('response_too_large', 'the RDAP answer is longer than allowed');
  return hop;
}
