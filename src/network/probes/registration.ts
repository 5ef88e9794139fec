import type { Clock } from '#src/core/base/clock.ts';
import { type FailureCode, FailureError } from '#src/core/base/failure.ts';
import { parseJson } from '#src/core/base/text/json-shape.ts';
import { readUrl } from '#src/core/url/read-url.ts';
import { isTargetProblem, parseTarget, type Target } from '#src/core/url/target.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { type Hop, redirectLocation } from '#src/network/egress/http/hop.ts';
import type { RegistryDirectory } from '#src/network/registry/directory.ts';
import { type RdapAnswer, readRdapAnswer } from '#src/network/registry/rdap-answer.ts';
import {
  mergeFacts,
  NO_FACTS,
  type RegistrationFacts,
  type RegistryAnswer,
} from '#src/network/registry/registration-facts.ts';
import { registryName, whoisQuery } from '#src/network/registry/suffix-server.ts';
import { readWhoisAnswer, type WhoisAnswer } from '#src/network/registry/whois-answer.ts';
import type { Probe } from './observations.ts';
import { DEFAULT_PAUSE_MS, RegistryLimitError, type RegistryThrottle, readRetryAfter } from './registry-throttle.ts';

/** Limits of one lookup. */
const MAX_ANSWER_BYTES = 128 * 1024;
const MAX_SERVERS = 3;
const WHOIS_PORT = 43;

/** A WHOIS server. */
interface WhoisServer {
  readonly host: string;
  readonly port: number;
}

/** Dependencies of a lookup. */
interface WhoisTools {
  readonly egressClient: Pick<EgressClient, 'exchange'>;
  readonly clock: Clock;
  /** Time limit of the whole lookup. */
  readonly timeoutMs: number;
}

/**
 * Queries WHOIS servers (RFC 3912) for a domain. Follows a referral if the answer has no creation date, on port 43 only
 * and through the egress policy. Values of an earlier server take precedence.
 *
 * Throws `registration_not_found`, `registration_refused` (a {@link RegistryLimitError}), `response_malformed`,
 * `response_too_large`, and what the network throws.
 */
export async function queryWhois(
  first: WhoisServer,
  domain: string,
  tools: WhoisTools,
  signal: AbortSignal,
): Promise<RegistrationFacts> {
  const deadlineMs = tools.clock.monotonicMs() + tools.timeoutMs;
  const asked = new Set<string>();
  let facts: RegistrationFacts | null = null;
  let server: WhoisServer | null = first;
  while (server && !asked.has(server.host) && asked.size < MAX_SERVERS) {
    asked.add(server.host);
    try {
      const answer: WhoisAnswer = await queryServer(server, domain, deadlineMs, tools, signal);
      if (answer.outcome === 'found') facts = mergeFacts(facts ?? NO_FACTS, answer.facts);
      else if (answer.outcome !== 'referred') throw failureOf(answer.outcome, server.host);
      server =
        answer.referral !== null && (facts?.createdAt ?? null) === null
          ? { host: answer.referral, port: WHOIS_PORT }
          : null;
    } catch (error) {
      if (facts && error instanceof FailureError && error.code !== 'aborted') return facts;
      throw error;
    }
  }
  if (!facts) throw new FailureError('response_malformed', 'the WHOIS servers only referred to one another');
  return facts;
}

async function queryServer(
  { host, port }: WhoisServer,
  domain: string,
  deadlineMs: number,
  { egressClient, clock }: WhoisTools,
  signal: AbortSignal,
): Promise<WhoisAnswer> {
  const timeoutMs = deadlineMs - clock.monotonicMs();
  if (timeoutMs <= 0) throw new FailureError('timeout', 'the WHOIS servers took too long');
  const request = new TextEncoder().encode(whoisQuery(domain, host));
  const { bytes, truncated } = await egressClient.exchange(
    { host, port, request, maxBytes: MAX_ANSWER_BYTES, timeoutMs },
    signal,
  );
  const answer = readWhoisAnswer(decodeAnswer(bytes), domain, clock.now());
  if (answer.outcome !== 'unreadable' || !truncated) return answer;
  throw new FailureError(
    bytes.length < MAX_ANSWER_BYTES ? 'timeout' : 'response_too_large',
    `${host} did not end its answer`,
  );
}

function failureOf(outcome: 'not_found' | 'refused' | 'unreadable', host: string): FailureError {
  if (outcome === 'not_found') return new FailureError('registration_not_found');
  if (outcome === 'refused') return new RegistryLimitError(`${host} refused to answer`, DEFAULT_PAUSE_MS);
  return new FailureError('response_malformed', `${host} returned an unreadable answer`);
}

/** Decodes an answer as UTF-8 if it is valid, else as Latin-1, because WHOIS has no encoding declaration. */
function decodeAnswer(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** Limits of one lookup, all hops together. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_REDIRECTS = 3;

const NOT_FOUND = 404;
/** Too Many Requests, and Service Unavailable, which some servers send instead. */
const RATE_LIMIT_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** Dependencies of a lookup. */
interface RdapTools {
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
        keepOpen: true,
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

/** Dependencies of the probe. */
export interface RegistrationContext {
  readonly egressClient: Pick<EgressClient, 'exchange' | 'fetchHop'>;
  readonly clock: Clock;
  readonly registries: RegistryDirectory;
  readonly registryThrottle: RegistryThrottle;
}

/** Failures after which no other server is queried. */
const FINAL: ReadonlySet<FailureCode> = new Set(['registration_not_found', 'aborted']);

/** Looks up the registrable domain at its registry: by RDAP, and by WHOIS if RDAP fails. */
export const registrationProbe: Probe<RegistryAnswer, RegistrationContext> = {
  applies: ({ host }) => host.registrable !== null && registryName(host.registrable) !== null,

  async observe({ host }, context, signal) {
    const domain = registryName(host.registrable ?? '');
    if (domain === null) throw new TypeError(`${host.text} has no registrable domain`);
    return await context.registryThrottle.share(domain, signal, () => ask(domain, context, signal));
  },
};

/** Queries each known server until one answers. Skips paused servers. */
async function ask(
  domain: string,
  { egressClient, clock, registries, registryThrottle }: RegistrationContext,
  signal: AbortSignal,
): Promise<RegistryAnswer> {
  const tools = { egressClient, clock, timeoutMs: registries.timeoutMs };
  const rdap = registries.rdap(domain);
  const whois = registries.whois(domain);
  const ways = [
    rdap !== null && { source: 'rdap' as const, server: rdap, look: () => queryRdap(rdap, domain, tools, signal) },
    whois && { source: 'whois' as const, server: whois.host, look: () => queryWhois(whois, domain, tools, signal) },
  ];
  let failure = new FailureError('registration_no_server');
  for (const way of ways) {
    if (!way) continue;
    // The time limit starts after the queue, so that our own queue does not look like a slow registry.
    using _permit = await registryThrottle.acquire(way.server, signal);
    if (registryThrottle.isPaused(way.server)) {
      failure = new FailureError('registration_refused', `${way.server} is not queried for a while, as it requested`);
      continue;
    }
    try {
      return { source: way.source, domain, ...(await way.look()) };
    } catch (error) {
      if (error instanceof RegistryLimitError) registryThrottle.pause(way.server, error.pauseMs);
      if (!(error instanceof FailureError) || FINAL.has(error.code) || signal.aborted) throw error;
      failure = error;
    }
  }
  throw failure;
}
