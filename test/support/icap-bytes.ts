/** An HTTP head out of its lines. */
export const httpHead = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n');

/** Fields with which Squid asks: it sends a preview, and accepts 204. */
const SQUID_FIELDS = ['Preview: 0', 'Allow: 204'];

/** Parts of a REQMOD that a case changes. */
export interface ReqmodOptions {
  readonly body?: 'null-body' | 'req-body';
  readonly fields?: readonly string[];
  /** What follows the head: the chunks of a body. */
  readonly tail?: string;
}

/** A REQMOD around an HTTP head. */
export function reqmod(
  http: string,
  { body = 'null-body', fields = SQUID_FIELDS, tail = '' }: ReqmodOptions = {},
): string {
  const head = ['REQMOD icap://check.example/reqmod ICAP/1.0', 'Host: check.example', ...fields];
  return `${httpHead(...head, `Encapsulated: req-hdr=0, ${body}=${Buffer.byteLength(http)}`)}${http}${tail}`;
}

/** A page that passes, and one that {@link decideByHost} holds. */
export const GOOD = httpHead('GET http://www.wikipedia.org/ HTTP/1.1', 'Host: www.wikipedia.org', 'Accept: text/html');
export const EVIL = httpHead('GET http://evil.example/ HTTP/1.1', 'Host: evil.example', 'Accept: text/html');
export const POST = httpHead('POST http://www.wikipedia.org/ HTTP/1.1', 'Host: www.wikipedia.org', 'Content-Length: 5');
export const EVIL_POST = httpHead('POST http://evil.example/ HTTP/1.1', 'Host: evil.example', 'Content-Length: 5');

/** The chunks of a body of five bytes. */
export const HELLO = '5\r\nhello\r\n0\r\n\r\n';
