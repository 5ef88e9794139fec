import type { Clock } from '#src/base/clock.ts';
import type { Logger } from '#src/base/logger.ts';
import { createRequestId } from '#src/base/request-id.ts';
import { stackFrames } from '#src/base/stack-frames.ts';
import { INTERNAL_PROBLEM, type Problem, problemOfError, replyProblem } from './problem.ts';

/** One request on its way to an answer. */
export interface Exchange {
  readonly request: Request;
  /** UUIDv7, also in the answer's `X-Request-Id`. */
  readonly requestId: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs: number;
  /** Address of the socket's other end, as the platform writes it; null where there is no socket. */
  readonly peer: string | null;
  /** Null where nothing listens, as in a test of the routes alone. */
  readonly server: ListeningServer | null;
}

/** Answers one kind of request. What it throws becomes a 503 or a 500. */
export type Operation = (exchange: Exchange) => Response | Promise<Response>;

/** The part of `Bun.serve`'s handle that an exchange needs. */
export interface ListeningServer {
  requestIP(request: Request): { readonly address: string } | null;
  /** Lets the connection of a request be silent for so long. */
  timeout(request: Request, seconds: number): void;
}

/** Answers requests by operations. */
export interface Exchanges {
  /** Gives the request its id and its time, and lets no error through. */
  run(operation: Operation, request: Request, server: ListeningServer | null): Promise<Response>;
  /** What the client is told of a thrown error; a fault of this program goes to the log, of `isPrivate` without text. */
  problemOf(error: unknown, requestId: string, isPrivate?: boolean): Problem;
}

export function createExchanges(clock: Clock, logger: Logger): Exchanges {
  function problemOf(error: unknown, requestId: string, isPrivate = false): Problem {
    const problem = problemOfError(error);
    if (!problem)
      logger.error('server.fault', { request_id: requestId, error: isPrivate ? stackFrames(error) : error });
    return problem ?? INTERNAL_PROBLEM;
  }

  return {
    problemOf,
    async run(operation, request, server) {
      const startedAtMs = clock.now();
      const requestId = createRequestId(startedAtMs);
      const peer = server?.requestIP(request)?.address ?? null;
      try {
        return await operation({ request, requestId, startedAtMs, peer, server });
      } catch (error) {
        return replyProblem(requestId, problemOf(error, requestId));
      }
    },
  };
}
