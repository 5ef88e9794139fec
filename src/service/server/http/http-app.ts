import { type Context, Elysia } from 'elysia';
import { cachedJson } from '#src/checks/record/cached-json.ts';
import type { Clock } from '#src/core/base/clock.ts';
import { createRequestId } from '#src/core/base/request-id.ts';
import { isFinished } from '../late-routes.ts';
import type { ProblemOf } from './faults.ts';
import { isForPerson, MISDIRECTED, misdirectedPage } from './misdirected.ts';
import { CODINGS, compress, preferredCoding } from './negotiation.ts';
import { type Problem, ProblemError, problemBody } from './problem.ts';
import { PROBLEM_KINDS } from './problem-kinds.ts';
import { type IsOwnHost, isAtStandardPort } from './request-site.ts';
import { pathOf, type Unrouted } from './unrouted.ts';

/**
 * Sent with every response. Scripts, styles and frames of other origins are kept out, nothing is cached, and no
 * other site may embed or read an answer; there are no CORS headers on purpose.
 */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The permissions policy of the page's document: with the camera, its reader may scan QR codes. */
export const PAGE_PERMISSIONS = SECURITY_HEADERS['permissions-policy'].replace('camera=()', 'camera=(self)');

/** Elysia's headers and status of an answer that is not yet a response. */
export type ResponseSet = Pick<Context['set'], 'headers' | 'status'>;

/** The parts of a request that determine its answer's form. */
interface AnsweredRequest {
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
function respond(value: unknown, { requestId, acceptEncoding }: AnsweredRequest, set: ResponseSet): Response {
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

/** Duration of HTTP Strict Transport Security: one year in seconds (RFC 6797 §6.1). */
const ALWAYS_SECURE = 'max-age=31536000';

/** Maximum size of a body, in bytes, but on paths whose routes bound it themselves. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Maximum size of a body on any path, in bytes. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

const TOO_LARGE: Problem = { code: 'body_too_large', detail: 'The body must be at most 1048576 bytes long.' };

/** An answered request, without data that the client chose. */
export interface AnsweredRoute {
  readonly method: string;
  /** Path of the matched route without the base path; empty if none matched. */
  readonly route: string;
  readonly status: number;
}

/** Dependencies of every app. */
export interface HttpAppParts {
  /** True if it serves TLS. */
  readonly isSecure: boolean;
  readonly isOwnHost: IsOwnHost;
  readonly arrivalOf: (request: Request) => Arrival;
  readonly problemOf: ProblemOf;
  readonly onMisdirected: (request: Request) => void;
  /**
   * Paths whose routes bound their bodies themselves, of at most 64 MiB: after they ask for a key. By default no body may have
   * more than 1 MiB.
   */
  readonly selfBounded?: RegExp;
  /** Returns the listener of answers; null if there is none, so that no event is created. */
  readonly onAnswered: () => ((answered: AnsweredRoute) => void) | null;
}

/** An app without routes: what it is given to {@link Elysia.use}, it answers as all of ours do. */
export function createHttpApp(
  { isSecure, isOwnHost, arrivalOf, problemOf, onMisdirected, onAnswered, selfBounded }: HttpAppParts,
  unrouted: (request: Request) => Unrouted,
) {
  const maxBytes = selfBounded ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES;
  // A declaration: from the text of an arrow that calls something, Elysia would take it for asynchronous and wait.
  function noteArrival({ request }: { readonly request: Request }): void {
    arrivalOf(request);
  }
  // Bun has one bound for all paths: what it admits for some is refused here elsewhere, before it is read.
  function refuseLarge({ request }: { readonly request: Request }): void {
    const bytes = Number(request.headers.get('content-length'));
    if (bytes > MAX_BODY_BYTES && !selfBounded?.test(pathOf(request))) throw new ProblemError(TOO_LARGE);
  }
  return new Elysia({
    // Nothing of a request is changed to fit its schema.
    normalize: false,
    // A second server on the same port must fail; a body is refused by us, with a reason, before Bun's bare 413 is due.
    serve: { reusePort: false, development: false, idleTimeout: 10, maxRequestBodySize: maxBytes },
  })
    .onRequest(noteArrival)
    .onRequest(refuseLarge)
    .mapResponse(({ request, responseValue, set, route }) => {
      if (isFinished(responseValue)) return responseValue;
      const acceptEncoding = request.headers.get('accept-encoding');
      if (isSecure && isAtStandardPort(request)) set.headers['strict-transport-security'] = ALWAYS_SECURE;
      const response = respond(responseValue, { requestId: arrivalOf(request).requestId, acceptEncoding }, set);
      // Elysia's type does not say so, but what no route took has none.
      onAnswered()?.({ method: request.method, route: route ?? '', status: response.status });
      return response;
    })
    .onError(({ code, error, request, server, body, set }) => {
      const { requestId } = arrivalOf(request);
      const problem =
        code === 'NOT_FOUND'
          ? isOwnHost({ request, server })
            ? unrouted(request)
            : MISDIRECTED
          : problemOf(error, { requestId, isPrivate: wantsPrivacy(body) });
      if ('allow' in problem) {
        set.status = 204;
        set.headers.allow = problem.allow;
        return null;
      }
      if (problem.code === 'misdirected') {
        onMisdirected(request);
        if (isForPerson(request)) return misdirectedPage(requestId);
      }
      set.status = PROBLEM_KINDS[problem.code].status;
      Object.assign(set.headers, problem.headers);
      return problemBody(problem, requestId);
    });
}

/** A body that was read before something failed, and that asked for privacy. */
function wantsPrivacy(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'private_mode' in body && body.private_mode === true;
}

/** Time and id of a request. */
export interface Arrival {
  /** UUIDv7, also in the answer's `X-Request-Id`. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
}

/**
 * Creates the function that returns the arrival of a request: the moment of its first call. Every hook of Elysia's life
 * cycle can call it; what one hook adds to the context, earlier hooks do not have.
 */
export function createArrivals(clock: Clock): (request: Request) => Arrival {
  const arrivals = new WeakMap<Request, Arrival>();
  return (request) => {
    const known = arrivals.get(request);
    if (known) return known;
    const startedAtMs = clock.now();
    const arrival = { requestId: createRequestId(startedAtMs), startedAtMs };
    arrivals.set(request, arrival);
    return arrival;
  };
}
