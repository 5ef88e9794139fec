import type { Clock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import type { Door } from '#src/network/egress/egress-client.ts';
import { whoisQuery } from '#src/network/registry/query.ts';
import { mergeFacts, NO_FACTS, type RegistrationFacts } from '#src/network/registry/registration-facts.ts';
import { readWhoisAnswer, type WhoisAnswer } from '#src/network/registry/whois-answer.ts';
import { RegistryLimitError, USUAL_REST_MS } from './registry-courtesy.ts';

/** Budgets of one look-up. */
const MAX_ANSWER_BYTES = 128 * 1024;
const MAX_SERVERS = 3;
const WHOIS_PORT = 43;

/** Where to ask first. */
export interface WhoisServer {
  readonly host: string;
  readonly port: number;
}

/** What a look-up needs from outside. */
export interface WhoisTools {
  readonly door: Pick<Door, 'exchange'>;
  readonly clock: Clock;
  /** For the whole look-up, however many servers it takes. */
  readonly timeoutMs: number;
}

/**
 * Asks WHOIS servers (RFC 3912) for a domain. A referral is followed where the answer does not say when the domain was
 * created, on port 43 alone and through the egress policy; what the first server said is not overruled by the next.
 *
 * Throws `registration_not_found`, `registration_refused` (a {@link RegistryLimitError}), `response_malformed`,
 * `response_too_large`, and what the network throws.
 */
export async function askWhois(
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
      const answer: WhoisAnswer = await askOne(server, domain, deadlineMs, tools, signal);
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

async function askOne(
  { host, port }: WhoisServer,
  domain: string,
  deadlineMs: number,
  { door, clock }: WhoisTools,
  signal: AbortSignal,
): Promise<WhoisAnswer> {
  const timeoutMs = deadlineMs - clock.monotonicMs();
  if (timeoutMs <= 0) throw new FailureError('timeout', 'the WHOIS servers took too long');
  const request = new TextEncoder().encode(whoisQuery(domain, host));
  const { bytes, truncated } = await door.exchange(
    { host, port, request, maxBytes: MAX_ANSWER_BYTES, timeoutMs },
    signal,
  );
  const answer = readWhoisAnswer(decodeAnswer(bytes), domain, clock.now());
  if (answer.outcome !== 'unreadable' || !truncated) return answer;
  throw new FailureError(
    bytes.length < MAX_ANSWER_BYTES ? 'timeout' : 'response_too_large',
    `${host} did not come to an end`,
  );
}

function failureOf(outcome: 'not_found' | 'refused' | 'unreadable', host: string): FailureError {
  if (outcome === 'not_found') return new FailureError('registration_not_found');
  if (outcome === 'refused') return new RegistryLimitError(`${host} refused to answer`, USUAL_REST_MS);
  return new FailureError('response_malformed', `${host} did not answer in a form that can be read`);
}

/** The protocol has no way to tell its encoding: UTF-8 where it is valid, else Latin-1, which takes any bytes. */
function decodeAnswer(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
