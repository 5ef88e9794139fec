import type { Context } from 'elysia';
import { cachedJson } from '#src/checks/record/cached-json.ts';
import { compress } from './compress.ts';
import { CODINGS, preferredCoding } from './negotiation.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Elysia's headers and status of an answer that is not yet a response. */
export type ResponseSet = Pick<Context['set'], 'headers' | 'status'>;

/** The parts of a request that determine its answer's form. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** `Accept-Encoding`; null if absent. */
  readonly acceptEncoding: string | null;
}

/** Copied natively, which takes a third of the time of writing the headers out for each response. */
const BASE = new Headers(SECURITY_HEADERS);

/** Minimum length of JSON to compress, in UTF-16 code units; shorter texts fit a single packet. */
const WORTH_COMPRESSING = 1024;

/**
 * The last step of an answer: the value of a handler or of `onError` becomes a response with the headers that all of
 * ours carry. An object is sent as JSON, what says otherwise in `set` or is a response already as it is.
 */
export function respond(value: unknown, { requestId, acceptEncoding }: AnsweredRequest, set: ResponseSet): Response {
  const status = Number(set.status ?? 200);
  const response = value instanceof Response ? withBase(value) : jsonResponse(value, status, acceptEncoding);
  const { headers } = response;
  headers.set('x-request-id', requestId);
  for (const name in set.headers) {
    if (name === 'vary') headers.append(name, String(set.headers[name]));
    else headers.set(name, String(set.headers[name]));
  }
  // What `set` still said, Elysia would put into a copy of the response, its body turned into a stream without a length.
  set.headers = {};
  set.status = 200;
  return response;
}

function jsonResponse(value: unknown, status: number, acceptEncoding: string | null): Response {
  // Such as 204 and 304.
  if (typeof value !== 'object' || value === null) return new Response(null, { status, headers: BASE });
  const json = cachedJson(value);
  const isLong = json.length > WORTH_COMPRESSING;
  const coding = isLong ? preferredCoding(acceptEncoding, CODINGS) : null;
  const response = new Response(coding === null ? json : compress(json, coding), { status, headers: BASE });
  response.headers.set('content-type', status < 400 ? 'application/json' : 'application/problem+json');
  if (isLong) response.headers.set('vary', 'accept-encoding');
  if (coding !== null) response.headers.set('content-encoding', coding);
  return response;
}

function withBase(response: Response): Response {
  for (const [name, value] of BASE) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
