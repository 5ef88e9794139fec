import type { IcapError } from './icap-head.ts';

/** Fields of every answer. */
export interface AnswerContext {
  /** Version of the decision rules, quoted, at most 32 characters. Proxies drop cached answers if it changes. */
  readonly istag: string;
  readonly nowMs: number;
  /** True for the last answer on a connection. */
  readonly closes: boolean;
}

/** Header fields of our own, by name. */
export type Marks = Readonly<Record<string, string>>;

/** HTTP response that replaces a request. */
export interface HttpReplacement {
  /** Status line without version, such as `403 Forbidden`. */
  readonly status: string;
  readonly fields: Marks;
  /** Null for an answer to HEAD: `fields` has the length. */
  readonly body: Uint8Array | null;
}

/**
 * Returns the answer to OPTIONS. It has no `Date` (optional, RFC 3507 §4.10.2): Squid counts `Options-TTL` from it, so
 * that a clock which is slow by the TTL would switch the service off.
 */
export function optionsAnswer(context: AnswerContext, maxConnections: number): Buffer {
  return head(
    '200 OK',
    { ...context, nowMs: null },
    {
      Methods: 'REQMOD',
      Service: 'lurecheck link checker',
      'Service-ID': 'lurecheck',
      'Max-Connections': String(maxConnections),
      'Options-TTL': '60',
      Allow: '204',
      // The body is never examined, so no byte of it is wanted.
      Preview: '0',
      'Transfer-Preview': '*',
      'X-Include': 'X-Client-IP, X-Client-Username, X-Authenticated-User',
      Encapsulated: 'null-body=0',
    },
  );
}

/** Returns the answer "not modified". */
export function unmodifiedAnswer(context: AnswerContext, marks: Marks): Buffer {
  return head('204 No Content', context, { ...marks, Encapsulated: 'null-body=0' });
}

/** Returns the beginning of an answer with the unmodified request, whose body follows. */
export function echoAnswer(context: AnswerContext, marks: Marks, http: Uint8Array, hasBody: boolean): Buffer {
  const parts = `req-hdr=0, ${hasBody ? 'req-body' : 'null-body'}=${http.length}`;
  return Buffer.concat([head('200 OK', context, { ...marks, Encapsulated: parts }), http]);
}

/** Returns an answer with a response that replaces the request. */
export function replacementAnswer(
  context: AnswerContext,
  marks: Marks,
  { status, fields, body }: HttpReplacement,
): Buffer {
  const http = Buffer.from(`HTTP/1.1 ${status}\r\n${lines(fields)}\r\n`, 'latin1');
  const parts = `res-hdr=0, ${body ? 'res-body' : 'null-body'}=${http.length}`;
  const whole = [head('200 OK', context, { ...marks, Encapsulated: parts }), http];
  if (body) whole.push(Buffer.from(`${body.length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n0\r\n\r\n'));
  return Buffer.concat(whole);
}

/** Returns the answer to a request that cannot be processed; it closes the connection. */
export function errorAnswer(context: AnswerContext, status: IcapError): Buffer {
  return head(status, { ...context, closes: true }, { Encapsulated: 'null-body=0' });
}

function head(
  status: string,
  { istag, nowMs, closes }: Omit<AnswerContext, 'nowMs'> & { readonly nowMs: number | null },
  fields: Marks,
): Buffer {
  const date = nowMs === null ? {} : { Date: new Date(nowMs).toUTCString() };
  const common = { ISTag: istag, ...date, ...(closes && { Connection: 'close' }) };
  return Buffer.from(`ICAP/1.0 ${status}\r\n${lines({ ...common, ...fields })}\r\n`, 'latin1');
}

function lines(fields: Marks): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
