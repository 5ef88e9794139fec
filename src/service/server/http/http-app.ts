import { Elysia } from 'elysia';
import { isFinished } from '../late-routes.ts';
import type { Arrival } from './arrivals.ts';
import type { ProblemOf } from './faults.ts';
import { isForPerson, MISDIRECTED, misdirectedPage } from './misdirected.ts';
import { type Problem, ProblemError, problemBody } from './problem.ts';
import { PROBLEM_KINDS } from './problem-kinds.ts';
import { pathOf } from './request-path.ts';
import { type IsOwnHost, isAtStandardPort } from './request-site.ts';
import { respond } from './respond.ts';
import type { Unrouted } from './unrouted.ts';

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
