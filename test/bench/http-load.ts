import type { Socket } from 'bun';

/** What a load of requests came to. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds from writing a request to its whole answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly requests: number;
  /** The body of the n-th request. */
  body(n: number): string;
}

const HEADER_END = Buffer.from('\r\n\r\n');

/**
 * Posts JSON over connections that are kept open, one request under way on each. Written on bare sockets, because on a
 * machine with two cores a client that is slower than the server would measure itself.
 *
 * @throws Error for any answer but 200.
 */
export async function runLoad({ port, path, connections, requests, body }: Load): Promise<LoadResult> {
  const latenciesMs = new Float64Array(requests);
  let sent = 0;
  let done = 0;
  const finished = Promise.withResolvers<void>();
  const sockets: Socket<{ received: Buffer; n: number; startedMs: number }>[] = [];

  const send = (socket: (typeof sockets)[number]) => {
    if (sent >= requests) return;
    const n = sent++;
    const text = body(n);
    socket.data = { received: Buffer.alloc(0), n, startedMs: performance.now() };
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  };

  const startedMs = performance.now();
  for (let i = 0; i < connections; i++) {
    sockets.push(
      await Bun.connect<{ received: Buffer; n: number; startedMs: number }>({
        hostname: '127.0.0.1',
        port,
        data: { received: Buffer.alloc(0), n: 0, startedMs: 0 },
        socket: {
          data(socket, chunk) {
            const { received } = socket.data;
            const bytes = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
            const head = bytes.indexOf(HEADER_END);
            const length = head < 0 ? null : /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1];
            if (length == null || bytes.length < head + 4 + Number(length)) {
              socket.data.received = Buffer.from(bytes);
              return;
            }
            if (!bytes.toString('latin1', 0, 15).startsWith('HTTP/1.1 200')) {
              finished.reject(new Error(bytes.toString('utf8').slice(0, 500)));
            }
            latenciesMs[socket.data.n] = performance.now() - socket.data.startedMs;
            if (++done === requests) finished.resolve();
            else send(socket);
          },
          close: () => finished.reject(new Error('a connection was closed')),
        },
      }),
    );
  }
  for (const socket of sockets) send(socket);
  await finished.promise;
  const seconds = (performance.now() - startedMs) / 1000;
  for (const socket of sockets) socket.end();
  latenciesMs.sort();
  const at = (share: number) => latenciesMs[Math.min(requests - 1, Math.floor(requests * share))] ?? 0;
  return { requestsPerSecond: requests / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
