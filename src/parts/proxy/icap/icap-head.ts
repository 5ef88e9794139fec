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
export type IcapHeaders = ReadonlyMap<string, string>;

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

export type IcapHead = OptionsHead | ReqmodHead;

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
