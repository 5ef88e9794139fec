import http from 'node:http';

/** Where the service listens in the namespace. */
export const PORT = 8080;

/** How long anybody waits for an answer. */
const PATIENCE_MS = 60_000;

/** One request of one client. */
export interface Ask {
  readonly method?: 'GET' | 'POST';
  /** Default: the service's. */
  readonly port?: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's address, one of this machine. */
  readonly from: string;
  /** Whether the last byte of the body is never sent. */
  readonly isUnfinished?: true;
  /** After so many milliseconds the client hangs up. */
  readonly leaveAfterMs?: number;
}

/** What came of it; times are those of `performance.now()`. */
export type Reply = { readonly sentMs: number; readonly endedMs: number } & (
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      readonly requestId: string | null;
      readonly body: string;
    }
  | { readonly kind: 'left' }
  /** The connection was refused, or was cut before the answer was whole. */
  | { readonly kind: 'cut'; readonly problem: string }
  | { readonly kind: 'silent' }
);

/** Asks on a connection of its own. Never throws: what went wrong is data. */
export function ask({
  port = PORT,
  method = 'GET',
  path,
  headers = {},
  body,
  from,
  isUnfinished,
  leaveAfterMs,
}: Ask): Promise<Reply> {
  const sentMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const request = http.request(
    {
      host: from.includes(':') ? '::1' : '127.0.0.1',
      port,
      localAddress: from,
      agent: false,
      method,
      path,
      headers: {
        connection: 'close',
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', cut);
      response.on('close', () => cut(new Error('the answer is not whole')));
      response.on('end', () =>
        end({
          kind: 'answered',
          status: response.statusCode ?? 0,
          retryAfter: headerOf(response.headers['retry-after']),
          requestId: headerOf(response.headers['x-request-id']),
          body: Buffer.concat(chunks).toString(),
        }),
      );
    },
  );
  const end = (what: WithoutTimes) => {
    clearTimeout(patience);
    clearTimeout(leaving);
    resolve({ ...what, sentMs, endedMs: performance.now() });
    request.destroy();
  };
  const cut = (error: Error) => end({ kind: 'cut', problem: error.message });
  const patience = setTimeout(() => end({ kind: 'silent' }), PATIENCE_MS);
  const leaving = leaveAfterMs === undefined ? undefined : setTimeout(() => end({ kind: 'left' }), leaveAfterMs);
  request.on('error', cut);
  if (isUnfinished) request.write(body?.slice(0, -1));
  else request.end(body);
  return promise;
}

type WithoutTimes = Reply extends infer One ? (One extends Reply ? Omit<One, 'sentMs' | 'endedMs'> : never) : never;

function headerOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
