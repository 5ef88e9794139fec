import { hostOf } from '#src/core/url/host.ts';
import type { Target } from '#src/core/url/target.ts';

/** Maximum number of cookies of one visit, and of the characters in name and value of one, as in browsers. */
const MAX_COOKIES = 20;
const MAX_COOKIE_CHARACTERS = 4096;

/** Cookies of one visit, in memory. They are neither stored nor logged. */
export interface VisitCookies {
  /** Takes the cookies that an answer sets, one header per line; those that a browser refuses are left out. */
  take(from: Target, setCookie: string | undefined): void;
  /** Returns the `Cookie` header for a request; empty if there is none. */
  headerFor(url: Target): string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  /** True if subdomains get it as well. */
  readonly isForSubdomains: boolean;
  readonly path: string;
  readonly isSecure: boolean;
}

/** Creates an empty store of cookies (RFC 6265bis §5). Expiry is read for deletions only, because a visit takes seconds. */
export function createVisitCookies(): VisitCookies {
  const cookies = new Map<string, Cookie>();
  return {
    take(from, setCookie = '') {
      for (const line of setCookie.split('\n', MAX_COOKIES)) {
        const read = readCookie(from, line);
        if (read === null) continue;
        const { cookie, isDeleted } = read;
        const key = [cookie.host, cookie.isForSubdomains, cookie.path, cookie.name].join('\n');
        if (isDeleted) cookies.delete(key);
        else if (cookies.has(key) || cookies.size < MAX_COOKIES) cookies.set(key, cookie);
      }
    },
    headerFor(url) {
      return [...cookies.values()]
        .filter((cookie) => isSentTo(cookie, url))
        .toSorted((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => (name === '' ? value : `${name}=${value}`))
        .join('; ');
    },
  };
}

function isSentTo({ host, isForSubdomains, path, isSecure }: Cookie, url: Target): boolean {
  if (isSecure && url.scheme !== 'https') return false;
  const isHost = url.host.text === host || (isForSubdomains && isBelow(url.host.text, host));
  return isHost && (url.path === path || url.path.startsWith(path.endsWith('/') ? path : `${path}/`));
}

function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && hostOf(host).kind === 'name';
}

/** Characters that a request line may have; the URL parser and browsers refuse others, or encode them. */
const SENDABLE = /^[\x20-\x3a\x3c-\x7e]*$/;

/** Returns the cookie of a `Set-Cookie` header; null if a browser refuses it. */
function readCookie(from: Target, line: string): { readonly cookie: Cookie; readonly isDeleted: boolean } | null {
  const [pair = '', ...parts] = line.slice(0, 2 * MAX_COOKIE_CHARACTERS).split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, Math.max(equals, 0)).trim();
  const value = pair.slice(equals + 1).trim();
  const length = name.length + value.length;
  if (length === 0 || length > MAX_COOKIE_CHARACTERS || !SENDABLE.test(name + value)) return null;
  const attributes = new Map(parts.map(attributeOf));
  const place = placeOf(from, attributes.get('domain') ?? '');
  const isSecure = attributes.has('secure');
  const given = attributes.get('path') ?? '';
  const path = given.startsWith('/') ? given : defaultPath(from.path);
  if (place === null || (isSecure && from.scheme !== 'https')) return null;
  if (/^__(?:secure|host)-/i.test(name) && !isSecure) return null;
  if (/^__host-/i.test(name) && (place.isForSubdomains || given !== '/')) return null;
  return { cookie: { name, value, ...place, path, isSecure }, isDeleted: isDeletion(attributes) };
}

function attributeOf(part: string): [name: string, value: string] {
  const equals = part.indexOf('=');
  if (equals === -1) return [part.trim().toLowerCase(), ''];
  return [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim()];
}

/** Returns the host that gets a cookie; null if the domain is another site's, or one that many sites share. */
function placeOf({ host }: Target, domain: string): Pick<Cookie, 'host' | 'isForSubdomains'> | null {
  const wanted = domain.replace(/^\./, '').toLowerCase();
  if (wanted === '' || wanted === host.text) return { host: host.text, isForSubdomains: wanted !== '' };
  const isShared = hostOf(wanted).suffix === wanted;
  return isShared || !isBelow(host.text, wanted) ? null : { host: wanted, isForSubdomains: true };
}

function defaultPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function isDeletion(attributes: ReadonlyMap<string, string>): boolean {
  const maxAge = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(attributes.get('expires') ?? '') < Date.now();
}
