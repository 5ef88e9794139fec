/** A connection that is kept open, with one request under way at most. */
export interface Connection {
  /** Posts JSON, with more header lines, each ending in CRLF. Resolves with the last byte of the answer; throws for any answer but 200, and where it is cut. */
  post(path: string, json: string, headers?: string): Promise<void>;
  close(): void;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * Written on a bare socket, because on a machine with two cores a client that is slower than the server would measure
 * itself.
 */
export async function connect(port: number): Promise<Connection> {
  let received = NOTHING;
  let waiting: PromiseWithResolvers<void> | null = null;
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, chunk) {
        const bytes = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const head = bytes.indexOf(HEADER_END);
        const length = head < 0 ? undefined : /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1];
        if (length === undefined || bytes.length < head + HEADER_END.length + Number(length)) {
          // What the runtime hands over is its own, and is written again.
          received = Buffer.from(bytes);
          return;
        }
        received = NOTHING;
        if (bytes.toString('latin1', 0, 12) === 'HTTP/1.1 200') waiting?.resolve();
        else waiting?.reject(new Error(bytes.toString('utf8', 0, 500)));
      },
      close: () => waiting?.reject(new Error('the server closed a connection')),
    },
  });
  return {
    post(path, json, headers = '') {
      waiting = Promise.withResolvers();
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n${headers}\r\n${json}`,
      );
      return waiting.promise;
    },
    close: () => socket.end(),
  };
}
