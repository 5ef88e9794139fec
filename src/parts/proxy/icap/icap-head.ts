import { formatIp, parseIp, unmapIp } from '#src/core/base/addresses/ip.ts';

/** The client of a request, as stated by the proxy. */
interface ClientIdentity {
  /** `X-Client-IP` in canonical form; null if it is missing or not an address. */
  readonly address: string | null;
  /** `X-Client-Username` or `X-Authenticated-User`; null if both are absent. Never `Proxy-Authorization`. */
  readonly user: string | null;
}

/** Maximum length of a user's name, in UTF-16 code units; longer ones are cut. */
const MAX_USER_LENGTH = 256;

const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/;

/** Reads who made a request. */
export function readIdentity(headers: IcapHeaders): ClientIdentity {
  const ip = parseIp(headers.get('x-client-ip') ?? '');
  const plain = headers.get('x-client-username');
  const authenticated = headers.get('x-authenticated-user');
  const user = plain || (authenticated && decoded(authenticated)) || null;
  return { address: ip && formatIp(unmapIp(ip)), user: user?.slice(0, MAX_USER_LENGTH) ?? null };
}

/** `X-Authenticated-User` is Base64 of `WinNT://DOMAIN/user` or the like; some gateways send it plain. */
function decoded(value: string): string {
  if (!BASE64.test(value)) return value;
  const text = Buffer.from(value, 'base64').toString('utf8');
  // What does not decode to an address of a user was a plain name that looks like Base64.
  return text.includes('://') ? text : value;
}

/** The parts of an encapsulated HTTP request that are used; all others are dropped. */
export interface HttpRequest {
  readonly method: string;
  /** The URL that is requested; for CONNECT `https://HOST/`. Null if the request names none. */
  readonly url: string | null;
  /** True if a person goes there, as far as the request says; false for pictures, scripts and calls of APIs. */
  readonly isNavigation: boolean;
  /** True if the browser states that the answer is shown as the page of a tab. Browsers state it under https only. */
  readonly isDocument: boolean;
  /** Value of `Accept-Language`; empty if absent. */
  readonly acceptLanguage: string;
}

const NAVIGATIONS: ReadonlySet<string> = new Set(['document', 'iframe', 'frame']);

/** Reads the HTTP head inside a REQMOD. Never throws. */
export function readHttpRequest(http: Buffer, icap: IcapHeaders): HttpRequest {
  const text = http.toString('utf8');
  const [line = '', ...fields] = text.split('\r\n');
  const [method = '', target = ''] = line.split(' ');
  const field = (name: string) => valuesOf(fields, name)[0] ?? null;
  const destination = field('sec-fetch-dest')?.toLowerCase() ?? null;
  const accept = field('accept');
  const mayBePage = accept === null || /text\/html|\*\/\*/i.test(accept);
  return {
    method,
    url: urlOf(method, target, fields, icap),
    isNavigation: destination === null ? method === 'CONNECT' || mayBePage : NAVIGATIONS.has(destination),
    isDocument: destination === 'document',
    acceptLanguage: field('accept-language') ?? '',
  };
}

/** Returns the URL in any of its forms (RFC 9112 §3.2). An absolute URL precedes `Host`, as it does for proxies. */
function urlOf(method: string, target: string, fields: readonly string[], icap: IcapHeaders): string | null {
  if (method === 'CONNECT') return target === '' ? null : `https://${target.replace(/:443$/, '')}/`;
  // Lists decide on other schemes too: Squid fetches ftp.
  if (/^[a-z][a-z0-9+.-]{0,30}:[\\/]{2}/i.test(target)) return target;
  if (!target.startsWith('/')) return null;
  const [host, ...others] = valuesOf(fields, 'host');
  // A request with two hosts leads to neither for certain.
  if (host === undefined || host === '' || others.some((other) => other !== host)) return null;
  const forwarded = icap.get('x-forwarded-proto') ?? valuesOf(fields, 'x-forwarded-proto')[0];
  const isSecure = forwarded === undefined ? host.endsWith(':443') : forwarded.toLowerCase() === 'https';
  return `${isSecure ? 'https' : 'http'}://${host}${target}`;
}

function valuesOf(fields: readonly string[], name: string): string[] {
  const found: string[] = [];
  for (const field of fields) {
    if (field[name.length] !== ':' || field.slice(0, name.length).toLowerCase() !== name) continue;
    found.push(field.slice(name.length + 1).trim());
  }
  return found;
}

/** Maximum length of an ICAP head, in bytes. */
export const MAX_HEAD = 16 * 1024;
/** Maximum length of the HTTP head inside, in bytes. The limit of Squid is 64 KiB. */
const MAX_HTTP_HEAD = 80 * 1024;

/** Status of an ICAP error, after which the connection is closed (RFC 3507 §4.3.3). */
export type IcapError =
  | '400 Bad Request'
  | '405 Method Not Allowed'
  | '413 Request Entity Too Large'
  | '505 ICAP Version Not Supported';

/** Header fields by lower-case name. Of a repeated field the last value counts. */
type IcapHeaders = ReadonlyMap<string, string>;

/** A request for the options of the service. */
interface OptionsHead {
  readonly method: 'OPTIONS';
  readonly closes: boolean;
}

/** A request to modify an HTTP request. */
export interface ReqmodHead {
  readonly method: 'REQMOD';
  readonly headers: IcapHeaders;
  /** Length of the HTTP head inside, in bytes. */
  readonly httpLength: number;
  readonly hasBody: boolean;
  /** True if the client sends a preview of the body only, and waits for the answer. */
  readonly hasPreview: boolean;
  /** True if the client accepts "204 No Content" for an unmodified request. */
  readonly allows204: boolean;
  /** True if the client closes the connection after the answer. */
  readonly closes: boolean;
}

type IcapHead = OptionsHead | ReqmodHead;

/** `METHOD URI ICAP/1.0`. Consoles prefill all kinds of paths, so any path is accepted. */
const REQUEST_LINE = /^([A-Z]+) (?:icaps?:\/\/[^ ]*|\/[^ ]*|\*) ICAP\/(\d)\.(\d)$/;
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Parts of a REQMOD: the HTTP head first, then a body or none. */
const PARTS = /^req-hdr=0,[ \t]*(null-body|req-body)=(\d{1,10})$/i;

/** Parses an ICAP head without its final blank line. One character per byte. Returns the error of the answer if malformed. */
export function readIcapHead(text: string): IcapHead | IcapError {
  const [line = '', ...rest] = text.split('\r\n');
  const [, method = '', major = ''] = REQUEST_LINE.exec(line) ?? [];
  if (method === '') return '400 Bad Request';
  if (major !== '1') return '505 ICAP Version Not Supported';
  const headers = readFields(rest);
  if (headers === null) return '400 Bad Request';
  const closes = hasToken(headers.get('connection'), 'close');
  const parts = headers.get('encapsulated');
  if (method === 'OPTIONS') {
    return parts === undefined || parts === 'null-body=0' ? { method, closes } : '400 Bad Request';
  }
  if (method !== 'REQMOD') return '405 Method Not Allowed';
  const [, body = '', length = ''] = PARTS.exec(parts ?? '') ?? [];
  const preview = headers.get('preview');
  if (body === '' || (preview !== undefined && !/^\d{1,10}$/.test(preview))) return '400 Bad Request';
  if (Number(length) > MAX_HTTP_HEAD) return '413 Request Entity Too Large';
  return {
    method,
    headers,
    httpLength: Number(length),
    hasBody: body.toLowerCase() === 'req-body',
    hasPreview: preview !== undefined,
    allows204: hasToken(headers.get('allow'), '204'),
    closes,
  };
}

/** Returns the fields of a head; null if one is malformed, contains a NUL, or if `Encapsulated` is repeated. */
function readFields(lines: readonly string[]): IcapHeaders | null {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [key, value] = [line.slice(0, Math.max(0, colon)).toLowerCase(), line.slice(colon + 1)];
    if (!FIELD_NAME.test(key) || /[\0\r\n]/.test(value)) return null;
    if (key === 'encapsulated' && headers.has(key)) return null;
    headers.set(key, value.trim());
  }
  return headers;
}

function hasToken(list: string | undefined, token: string): boolean {
  return list?.split(',').some((one) => one.trim().toLowerCase() === token) ?? false;
}
