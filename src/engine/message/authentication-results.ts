import type { Header } from 'postal-mime';
import { arcResults } from './arc-results.ts';
import { type AuthenticationClaim, type AuthenticationResult, readResults, segmentsOf } from './results-header.ts';

/** Servers whose results may be believed. */
export interface AuthenticationTrust {
  /** Names that the operator configured, in lower case. */
  readonly servers: readonly string[];
  /**
   * True if the server that wrote the first `Received` is the receiver: false at a mail server, which writes its own only
   * afterwards, so that all headers may come from the sender.
   */
  readonly isReceived: boolean;
}

/** Trust in a mail that was received, without configured servers. */
export const RECEIVED: AuthenticationTrust = { servers: [], isReceived: true };

/** Maximum number of results of a header. */
const MAX_RESULTS = 12;

/** Headers that receiving servers write between their own results and above them. */
const SERVER_HEADERS =
  /^(?:authentication-results|return-path|delivered-to|envelope-to|dkim-filter|received-spf|arc-[a-z-]+|x-[a-z0-9-]+)$/;

/** Headers that Exchange writes beside its results, which do not name it. */
const EXCHANGE_HEADERS = /^(?:received-spf|x-ms-exchange-[a-z0-9-]+)$/;

/**
 * Parses the authentication results of a mail (RFC 8601); null if no receiving server added any. Servers write above the
 * headers of the sender: results count above the first `Received`, if the server that wrote it states them. Exchange
 * does not name itself; its results count if other headers of it are beside them. All others may come from the sender
 * (RFC 8601 §5), and are ignored. Results of configured servers count as well above that header. Of several results
 * for SPF or DMARC, the first counts. Those of a configured server that forwarded the mail count as {@link arcResults} says.
 */
export function authenticationClaim(
  headers: readonly Header[],
  { servers, isReceived }: AuthenticationTrust = RECEIVED,
): AuthenticationClaim | null {
  const end = headers.findIndex(({ key }) => !SERVER_HEADERS.test(key));
  const own = headers.slice(0, end === -1 ? undefined : end);
  const receiver = end === -1 || headers[end]?.key !== 'received' ? null : receiverOf(headers[end].value);
  const stated = own.filter(({ key }) => key === 'authentication-results');
  const claims = stated.map(({ value }) => readResults(segmentsOf(value)));
  const [first] = claims;
  if (first === undefined) return null;
  if (first.server === null) {
    if (!isReceived || !own.some(({ key }) => EXCHANGE_HEADERS.test(key))) return null;
    return { ...first, results: firstOfEach(first.results).slice(0, MAX_RESULTS) };
  }
  const believed = claims.find(
    ({ server }) => server !== null && ((isReceived && server === receiver) || servers.includes(server)),
  );
  if (believed === undefined) return null;
  const named = claims.filter(({ server }) => server === believed.server);
  const all: AuthenticationResult[] = [];
  // A method that the server has already stated above is ignored.
  for (const { results } of named)
    all.push(...results.filter(({ method }) => !all.some((one) => one.method === method)));
  const isForwarded = !all.some(({ method, result }) => method === 'dmarc' && result === 'pass');
  const trusted = stated.filter((_, at) => claims[at]?.server === believed.server);
  // At a mail server, the first alone cannot come from the sender.
  const sealed = isForwarded ? arcResults(headers, trusted.slice(0, isReceived ? undefined : 1), servers) : null;
  // What the sealer found before it forwarded the mail precedes what is left of it; signatures may be intact.
  const results = sealed ? [...sealed.results, ...all] : all;
  return { server: (sealed ?? believed).server, results: firstOfEach(results).slice(0, MAX_RESULTS) };
}

/** Maximum number of headers with results that are read. */
const MAX_STATED = 5;

/**
 * Returns the results of all headers, in their order. A sender can write any of them, and has no reason to state a failure.
 */
export function statedResults(headers: readonly Header[]): readonly AuthenticationResult[] {
  return headers
    .filter(({ key }) => key === 'authentication-results')
    .slice(0, MAX_STATED)
    .flatMap(({ value }) => readResults(segmentsOf(value)).results)
    .slice(0, MAX_RESULTS);
}

/** Returns the host that wrote a `Received` header (RFC 5321 §4.4), in lower case; null if it names none. */
function receiverOf(received: string): string | null {
  const [trace = ''] = segmentsOf(received);
  return /(?:^|\s)by\s+([\w.-]{1,253})/i.exec(trace)?.[1]?.replace(/\.$/, '').toLowerCase() ?? null;
}

/** Returns the first result for SPF and DMARC; a mail may have several DKIM signatures. */
function firstOfEach(results: readonly AuthenticationResult[]): AuthenticationResult[] {
  return results.filter(
    ({ method }, at) => method === 'dkim' || results.findIndex((other) => other.method === method) === at,
  );
}
