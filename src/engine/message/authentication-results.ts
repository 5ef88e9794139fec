import type { Header } from 'postal-mime';
import { segmentsOf } from './header-segments.ts';
import { isInnerHop, receiverOf } from './received.ts';

/** Statement of a receiving server about the sender of a mail. It is part of the mail, hence untrusted. */
export interface AuthenticationClaim {
  /** Server that states it (authserv-id); null if unnamed. */
  readonly server: string | null;
  readonly results: readonly AuthenticationResult[];
}

/** Result of one method. */
export interface AuthenticationResult {
  readonly method: 'spf' | 'dkim' | 'dmarc';
  /** In lower case, such as `pass`, `fail` or `none` (RFC 8601 §2.7). */
  readonly result: string;
  /** Authenticated domain; null if unnamed. */
  readonly domain: string | null;
}

/** Properties that name the domain, the most significant first (RFC 8601 §2.7). */
const PROPERTIES: Readonly<Record<AuthenticationResult['method'], readonly string[]>> = {
  spf: ['smtp.mailfrom', 'smtp.helo'],
  dkim: ['header.d', 'header.i'],
  dmarc: ['header.from'],
};

/** Reads the segments of an `Authentication-Results` header (RFC 8601 §2.2). */
function readResults([first = '', ...rest]: readonly string[]): AuthenticationClaim {
  // Some servers omit their name and begin with a result.
  const isNamed = !first.includes('=');
  const server = /^\s*"?([^\s";=]{1,253})/.exec(first)?.[1]?.replace(/\.$/, '').toLowerCase() ?? null;
  return { server: isNamed ? server : null, results: (isNamed ? rest : [first, ...rest]).flatMap(readResult) };
}

function readResult(segment: string): AuthenticationResult[] {
  const [, method = '', result = ''] = /^\s*([a-z]+)(?:\s*\/\s*\d+)?\s*=\s*([\w-]{1,20})/i.exec(segment) ?? [];
  const known = (['spf', 'dkim', 'dmarc'] as const).find((one) => one === method.toLowerCase());
  if (known === undefined) return [];
  const properties = new Map(
    Array.from(
      segment.matchAll(/(?<![a-z])([a-z]+\.[\w-]+)\s*=\s*((?:"(?:[^"\\]|\\.)*"|[^\s;"])+)/gi),
      ([, name = '', value = '']) => [name.toLowerCase(), value.replace(/\\(.)/g, '$1')],
    ),
  );
  const named = PROPERTIES[known].flatMap((name) => properties.get(name) ?? [])[0];
  return [{ method: known, result: result.toLowerCase(), domain: named === undefined ? null : domainOf(named) }];
}

/** Returns the domain of a mail address or of a bare domain, in quotes or not; null if it is neither. */
function domainOf(address: string): string | null {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/^"/, '')
    .replace(/(?<![.>"])[.>"]+$/, '')
    .toLowerCase();
  return /^[^\s<>"()]{1,253}$/.test(domain) ? domain : null;
}

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

/** Server of Google that takes mails from outside, which states its results below, and above as those of its chain. */
const GOOGLE_EDGE = 'mx.google.com';

/** Names under which services state results, by the servers of theirs that take mails from outside. */
const SERVICE_NAMES: readonly (readonly [server: RegExp, name: string])[] = [
  [/^mx-ha\.gmx\.net$/, 'gmx.net'],
  [/^mailin\d{1,4}\.protonmail\.ch$/, 'mail.protonmail.ch'],
];

/** Headers that Exchange writes beside its results, which do not name it. */
const EXCHANGE_HEADERS = /^(?:received-spf|x-ms-exchange-[a-z0-9-]+)$/;

/**
 * Parses the authentication results of a mail (RFC 8601); null if no receiving server added any. Servers write above the
 * headers of the sender: results count above the first `Received` that is no hop within the service of the receiver, if the
 * server that wrote it, its service, or one of these hops states them. Google states them there as those of its chain.
 * Exchange does not name itself; its results count if other headers of it are beside them. All others may come from the
 * sender (RFC 8601 §5), and are ignored. Results of configured servers count as well above that header. Of several results
 * for SPF or DMARC, the first counts. Those of a configured server that forwarded the mail count as {@link arcResults} says.
 */
export function authenticationClaim(
  headers: readonly Header[],
  { servers, isReceived }: AuthenticationTrust = RECEIVED,
): AuthenticationClaim | null {
  const isInner = ({ key, value }: Header) => isReceived && key === 'received' && isInnerHop(value);
  const end = headers.findIndex((one) => !SERVER_HEADERS.test(one.key) && !isInner(one));
  const own = headers.slice(0, end === -1 ? undefined : end);
  const receiver = end === -1 || headers[end]?.key !== 'received' ? null : receiverOf(headers[end].value);
  const header = receiver === GOOGLE_EDGE && own.some(isInner) ? RESULTS : 'authentication-results';
  const stated = own.filter(({ key }) => key === header);
  const claims = stated.map(({ value }) => readResults(segmentsOf(value).slice(header === RESULTS ? 1 : 0)));
  const [first] = claims;
  if (first === undefined) return null;
  if (first.server === null) {
    if (!isReceived || !own.some(({ key }) => EXCHANGE_HEADERS.test(key))) return null;
    return { ...first, results: firstOfEach(first.results).slice(0, MAX_RESULTS) };
  }
  const hops = own.flatMap(({ key, value }) => (key === 'received' ? [receiverOf(value)] : []));
  const named = SERVICE_NAMES.filter(([host]) => receiver !== null && host.test(receiver)).map(([, name]) => name);
  const receivers = isReceived && receiver !== null ? [receiver, ...named, ...hops] : [];
  const believed = claims.find(
    ({ server }) => server !== null && (receivers.includes(server) || servers.includes(server)),
  );
  if (believed === undefined) return null;
  const all: AuthenticationResult[] = [];
  // A method that the server has already stated above is ignored.
  for (const { results } of claims.filter(({ server }) => server === believed.server))
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

/** Returns the first result for SPF and DMARC; a mail may have several DKIM signatures. */
function firstOfEach(results: readonly AuthenticationResult[]): AuthenticationResult[] {
  return results.filter(
    ({ method }, at) => method === 'dkim' || results.findIndex((other) => other.method === method) === at,
  );
}

/** One set of headers of a chain. */
interface ArcSet {
  readonly claim: AuthenticationClaim;
  /** Domain of the seal. */
  readonly domain: string;
  /** True if it states that the chain below it passes. */
  readonly isChainGood: boolean;
}

/** Maximum number of sets (RFC 8617 §4.2.1). */
const MAX_SETS = 50;

/** Headers of a chain. */
const RESULTS = 'arc-authentication-results';
const SEAL = 'arc-seal';

/**
 * Returns what a configured server found before it sealed and forwarded a mail (RFC 8617 §7.2); null if there is nothing to be
 * believed. Anybody can write these headers, and seal them: the receiving server must state that the chain passes, and the
 * last seal must be that of the domain of the configured server. Above it may be the receiving server's own.
 *
 * @param trusted results of the receiving server, the first on top
 * @param sealers configured servers, in lower case
 */
function arcResults(
  headers: readonly Header[],
  trusted: readonly Header[],
  sealers: readonly string[],
): AuthenticationClaim | null {
  const [top] = trusted;
  if (top === undefined || sealers.length === 0) return null;
  const stated = trusted.map(({ value }) => chainResult(segmentsOf(value))).find((result) => result !== null);
  if (stated !== 'pass') return null;
  const chain = headers.filter(({ key }) => key === RESULTS || key === SEAL);
  if (chain.length > 2 * MAX_SETS) return null;
  const newest = Math.max(0, ...chain.map(({ value }) => instanceOf(segmentsOf(value))));
  const receiver = readResults(segmentsOf(top.value)).server;
  const first = setOf(chain, newest);
  const isOwn = first?.claim.server === receiver && isSealedBy(first) && first.isChainGood;
  // Only the receiving server writes above its own results.
  const below = headers.slice(headers.indexOf(top) + 1);
  const number = isOwn ? newest - 1 : newest;
  const set = setOf(chain, number) && setOf(below, number);
  const server = set?.claim.server ?? null;
  const isSealer = set !== null && server !== null && server !== receiver && sealers.includes(server);
  return isSealer && isSealedBy(set) ? set.claim : null;
}

function chainResult(segments: readonly string[]): string | null {
  for (const segment of segments) {
    const [, result] = /^\s*arc(?:\s*\/\s*\d{1,3})?\s*=\s*([\w-]{1,20})/i.exec(segment) ?? [];
    if (result !== undefined) return result.toLowerCase();
  }
  return null;
}

/** Returns the set of a number; null if one of its headers is missing, or there twice. */
function setOf(headers: readonly Header[], number: number): ArcSet | null {
  const [results, ...otherResults] = withNumber(headers, RESULTS, number);
  const [seal, ...otherSeals] = withNumber(headers, SEAL, number);
  if (number < 1 || results === undefined || seal === undefined || otherResults.length + otherSeals.length > 0)
    return null;
  const [domain, ...otherDomains] = seal.flatMap((tag) => /^\s*d\s*=\s*([\w.-]{1,253})\s*$/i.exec(tag)?.[1] ?? []);
  const [first = '', ...segments] = results;
  if (domain === undefined || otherDomains.length > 0 || !NUMBER.test(first)) return null;
  return {
    claim: readResults(segments),
    domain: domain.replace(/\.$/, '').toLowerCase(),
    isChainGood: chainResult(segments) === 'pass',
  };
}

function withNumber(headers: readonly Header[], name: string, number: number): string[][] {
  return headers.flatMap(({ key, value }) => {
    const segments = key === name ? segmentsOf(value) : [];
    return segments.length > 0 && instanceOf(segments) === number ? [segments] : [];
  });
}

/** Tag with the number of a set (RFC 8617 §4.2.1). */
const NUMBER = /^\s*i\s*=\s*(\d{1,2})\s*$/i;

/** Returns the number of the set that a header belongs to; 0 if it has none. The tags of a seal have no order. */
function instanceOf(segments: readonly string[]): number {
  for (const segment of segments) {
    const number = NUMBER.exec(segment)?.[1];
    if (number !== undefined) return Number(number);
  }
  return 0;
}

/** Returns true if the domain of the seal is that of the server that the results name, or above it. */
function isSealedBy({ claim: { server }, domain }: ArcSet): boolean {
  return server !== null && (server === domain || (domain.includes('.') && server.endsWith(`.${domain}`)));
}
