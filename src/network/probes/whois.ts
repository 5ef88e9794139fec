import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { mergeFacts, NO_FACTS, type RegistrationFacts } from '#src/network/registry/registration-facts.ts';
import { whoisQuery } from '#src/network/registry/suffix-server.ts';
import { readWhoisAnswer, type WhoisAnswer } from '#src/network/registry/whois-answer.ts';
import { DEFAULT_PAUSE_MS, RegistryLimitError } from './registry-throttle.ts';

/** Limits of one lookup. */
const MAX_ANSWER_BYTES = 128 * 1024;
const MAX_SERVERS = 3;
const WHOIS_PORT = 43;

/** A WHOIS server. */
export interface WhoisServer {
  readonly host: string;
  readonly port: number;
}

/** Dependencies of a lookup. */
export interface WhoisTools {
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
