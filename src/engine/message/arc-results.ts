import type { Header } from 'postal-mime';
import { type AuthenticationClaim, readResults, segmentsOf } from './results-header.ts';

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
export function arcResults(
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
