import { parse } from 'tldts';
import { parseIp } from '#src/base/ip.ts';
import { canonicalPath, canonicalQuery } from './canonical.ts';

/** The longest URL that is judged, in UTF-16 code units (`src/server/INTERFACE.md`). */
export const MAX_URL_LENGTH = 8192;

/** A URL that can be checked, taken apart once. Every spelling of the same URL gives the same Target but for `input`. */
export interface Target {
  /** The URL as it was given. */
  readonly input: string;
  /** The canonical form: no fragment, no default port, no escaped unreserved character; a password is `***`. */
  readonly url: string;
  /** What may be requested: the canonical form without any credentials. */
  readonly requestUrl: string;
  readonly scheme: 'http' | 'https';
  /** The user name of the URL, percent-encoded; empty where there is none. */
  readonly username: string;
  readonly hasPassword: boolean;
  /** Lower-case ASCII (punycode) without a final dot; an IPv6 address without brackets. */
  readonly host: string;
  readonly hostKind: 'name' | 'ipv4' | 'ipv6';
  /** The port in force, the scheme's default where the URL names none. */
  readonly port: number;
  /** Begins with a slash. */
  readonly path: string;
  /** Without its question mark; empty where there is none. */
  readonly query: string;
  /** The public suffix, private ones such as `github.io` included; empty for an address or an unlisted name. */
  readonly suffix: string;
  /** The name right of which nobody else publishes: `user.github.io`, `example.co.uk`; the host itself where it has none. */
  readonly site: string;
  /** The domain that a registry registered, by ICANN suffixes alone (`github.io`); null for an address or a bare suffix. */
  readonly registrableDomain: string | null;
  /** The labels left of `site`; empty where there are none. */
  readonly subdomain: string;
}

/** Why a text is not a Target, in a sentence for the person who typed it. */
export interface TargetProblem {
  readonly message: string;
}

/** Reads a URL, or says why it cannot be checked. Never throws, never guesses. */
export function parseTarget(input: string): Target | TargetProblem {
  if (input.length > MAX_URL_LENGTH) {
    return problem(`must be at most ${MAX_URL_LENGTH} characters long, this one has ${input.length}`);
  }
  const url = URL.parse(input);
  if (!url) return problem(explainUnparsable(input));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return problem(`must begin with http:// or https://, not ${url.protocol.slice(0, 32)}`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '') return problem('must name a host, as in https://example.com/');
  return takeApart(input, url, host);
}

/** Whether {@link parseTarget} refused. */
export function isTargetProblem(result: Target | TargetProblem): result is TargetProblem {
  return 'message' in result;
}

function takeApart(input: string, url: URL, host: string): Target {
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const family = parseIp(host)?.family;
  const path = canonicalPath(url.pathname);
  const query = canonicalQuery(url.search);
  const authority = (family === 6 ? `[${host}]` : host) + (url.port && `:${url.port}`);
  const rest = `${authority}${path}${query && `?${query}`}`;
  return {
    input,
    url: `${scheme}://${maskedCredentials(url)}${rest}`,
    requestUrl: `${scheme}://${rest}`,
    scheme,
    username: url.username,
    hasPassword: url.password !== '',
    host,
    hostKind: family === undefined ? 'name' : `ipv${family}`,
    port: url.port ? Number(url.port) : scheme === 'https' ? 443 : 80,
    path,
    query,
    ...siteOf(host, family !== undefined),
  };
}

function siteOf(host: string, isAddress: boolean): Pick<Target, 'suffix' | 'site' | 'registrableDomain' | 'subdomain'> {
  if (isAddress) return { suffix: '', site: host, registrableDomain: null, subdomain: '' };
  const options = { extractHostname: false, validateHostname: false, detectIp: false };
  const own = parse(host, { ...options, allowPrivateDomains: true });
  const registry = own.isPrivate ? parse(host, options) : own;
  // A host with an empty label (`a..b`), which the URL parser lets through, has no domain that could be registered.
  if (own.domain?.startsWith('.')) return { suffix: '', site: host, registrableDomain: null, subdomain: '' };
  return {
    suffix: own.publicSuffix ?? '',
    site: own.domain ?? host,
    registrableDomain: registry.domain,
    subdomain: own.subdomain ?? '',
  };
}

function maskedCredentials(url: URL): string {
  if (url.username === '' && url.password === '') return '';
  return `${url.username}${url.password === '' ? '' : ':***'}@`;
}

function problem(message: string): TargetProblem {
  return { message };
}

function explainUnparsable(input: string): string {
  if (input.trim() === '') return 'must not be empty';
  if (/^https?:\/*$/i.test(input.trim())) return 'must name a host, as in https://example.com/';
  if (!/^[a-z][a-z0-9+.-]*:/i.test(input.trim()) && URL.canParse(`https://${input.trim()}`)) {
    return 'must be absolute: write it with its scheme, as in https://example.com/';
  }
  return 'is not a valid URL';
}
