import { refang } from './defang.ts';
import { canonicalHost, type Host, hostOf } from './host.ts';
import { readUrl } from './read-url.ts';

/**
 * Escapes that are not canonical: of unreserved characters (RFC 3986 §2.3), which mean the same as the characters
 * themselves, and those in lower case. Other escapes, which are frequent in URLs of other scripts, are not matched.
 */
const ESCAPE = /%(?:2[DdEe]|3\d|[46][1-9A-Fa-f]|[57][\dAa]|5[Ff]|7[Ee]|[\dA-Fa-f][a-f]|[a-f][\dA-F])/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * Returns a WHATWG-serialised path with unnecessary escapes decoded, the others in upper case, and dot segments
 * resolved again.
 */
function canonicalPath(pathname: string): string {
  return resolveDotSegments(unescapeUnreserved(pathname));
}

/** A WHATWG `search` string without its question mark, with needless escapes undone. */
function canonicalQuery(search: string): string {
  return unescapeUnreserved(search.replace(/^\?/, ''));
}

/**
 * RFC 3986 §6.2.2.2, to the fixed point: undoing `%2541` gives `%41`, which is another URL, so a percent sign that came
 * out of an escape never starts a new one; `%25` itself is reserved and stays.
 */
function unescapeUnreserved(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(ESCAPE, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return UNRESERVED.test(character) ? character : encoded.toUpperCase();
  });
}

/** Undoing an escaped dot can bring forth a dot segment only in forms that the URL parser has not already resolved. */
function resolveDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const retained: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') retained.pop();
    else if (segment !== '.') retained.push(segment);
    if (isLast && (segment === '.' || segment === '..')) retained.push('');
  }
  return `/${retained.join('/')}`;
}

/** Maximum length of a URL, in UTF-16 code units (`src/service/server/INTERFACE.md`). */
export const MAX_URL_LENGTH = 8192;

/**
 * A URL that can be checked, taken apart once. Every spelling of the same URL gives the same Target but for `input`.
 */
export interface Target {
  /** The URL as it was given. */
  readonly input: string;
  /** The canonical form: no fragment, no default port, no escaped unreserved character; a password is `***`. */
  readonly url: string;
  /** URL of the request: the canonical form without credentials. */
  readonly requestUrl: string;
  readonly scheme: 'http' | 'https';
  /** The user name of the URL, percent-encoded; empty if there is none. */
  readonly username: string;
  readonly hasPassword: boolean;
  readonly host: Host;
  /** The port; the scheme's default if the URL names none. */
  readonly port: number;
  /** Begins with a slash. */
  readonly path: string;
  /** Without its question mark; empty if there is none. */
  readonly query: string;
}

/** Why a text is not a Target, in a sentence for the person who typed it. */
export interface TargetProblem {
  readonly code: 'invalid_url' | 'unsupported_scheme' | 'url_too_long';
  readonly message: string;
}

/** Parses a URL, or returns why it cannot be checked. Never throws, never guesses. */
export function parseTarget(input: string): Target | TargetProblem {
  if (input.length > MAX_URL_LENGTH) {
    return problem('url_too_long', `must be at most ${MAX_URL_LENGTH} characters long, this one has ${input.length}`);
  }
  const url = readUrl(input);
  if (!url) return problem('invalid_url', explainUnparsable(input));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const advice = adviceOnDefanged(input);
    if (advice !== null) return problem('invalid_url', advice);
    return problem('unsupported_scheme', `must begin with http:// or https://, not ${url.protocol.slice(0, 32)}`);
  }
  const host = canonicalHost(url);
  if (host === '') return problem('invalid_url', 'must name a host, as in https://example.com/');
  return parseTemplate(input, url, hostOf(host));
}

/** Returns true if {@link parseTarget} refused. */
export function isTargetProblem(result: Target | TargetProblem): result is TargetProblem {
  return 'message' in result;
}

function parseTemplate(input: string, url: URL, host: Host): Target {
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const path = canonicalPath(url.pathname);
  const query = canonicalQuery(url.search);
  const authority = (host.kind === 'ipv6' ? `[${host.text}]` : host.text) + (url.port && `:${url.port}`);
  const rest = `${authority}${path}${query && `?${query}`}`;
  return {
    input,
    url: `${scheme}://${maskedCredentials(url)}${rest}`,
    requestUrl: `${scheme}://${rest}`,
    scheme,
    username: url.username,
    hasPassword: url.password !== '',
    host,
    port: url.port ? Number(url.port) : scheme === 'https' ? 443 : 80,
    path,
    query,
  };
}

function maskedCredentials(url: URL): string {
  if (url.username === '' && url.password === '') return '';
  return `${url.username}${url.password === '' ? '' : ':***'}@`;
}

function problem(code: TargetProblem['code'], message: string): TargetProblem {
  return { code, message };
}

function explainUnparsable(input: string): string {
  if (input.trim() === '') return 'must not be empty';
  if (/^https?:\/*$/i.test(input.trim())) return 'must name a host, as in https://example.com/';
  if (!/^[a-z][a-z0-9+.-]*:/i.test(input.trim()) && readUrl(`https://${input.trim()}`) !== null) {
    return 'must be absolute: write it with its scheme, as in https://example.com/';
  }
  return adviceOnDefanged(input) ?? 'is not a valid URL';
}

/** Longest URL that an error repeats, in UTF-16 code units. */
const MAX_ADVISED = 200;

/** Says how to write a defanged URL; null if the text is not one. A password is not repeated. */
function adviceOnDefanged(input: string): string | null {
  const { url, isDefanged } = refang(input);
  const read = isDefanged ? readUrl(url) : null;
  if (read === null || !/^https?:$/.test(read.protocol)) return null;
  const isShown = read.href.length <= MAX_ADVISED && read.password === '';
  return `looks defanged: write ${isShown ? read.href : 'it with http:// or https:// and plain dots'}`;
}
