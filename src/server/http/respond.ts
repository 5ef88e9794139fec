import type { Context } from 'elysia';
import { writtenJson } from '#src/record/written-json.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** What Elysia knows of an answer before it is a response. */
export type ResponseSet = Pick<Context['set'], 'headers' | 'status'>;

/** Copied natively, which takes a third of the time of writing the headers out for each response. */
const BASE = new Headers(SECURITY_HEADERS);

/**
 * The last step of an answer: the value of a handler or of `onError` becomes a response with the headers that all of
 * ours carry. An object is sent as JSON, what says otherwise in `set` or is a response already as it is.
 */
export function respond(value: unknown, requestId: string, set: ResponseSet): Response {
  const status = Number(set.status ?? 200);
  const response = value instanceof Response ? withBase(value) : jsonResponse(value, status);
  response.headers.set('x-request-id', requestId);
  for (const name in set.headers) response.headers.set(name, String(set.headers[name]));
  // What `set` still said, Elysia would put into a copy of the response, its body turned into a stream without a length.
  set.headers = {};
  set.status = 200;
  return response;
}

function jsonResponse(value: unknown, status: number): Response {
  // Such as 204 and 304.
  if (typeof value !== 'object' || value === null) return new Response(null, { status, headers: BASE });
  const response = new Response(writtenJson(value), { status, headers: BASE });
  response.headers.set('content-type', status < 400 ? 'application/json' : 'application/problem+json');
  return response;
}

function withBase(response: Response): Response {
  for (const [name, value] of BASE) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
