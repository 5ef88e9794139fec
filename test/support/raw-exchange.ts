import { PATIENT_MS } from './patience.ts';

/** What came back on a socket. */
export interface RawResponse {
  /** Status of the last complete response; null where the peer closed without one. */
  readonly status: number | null;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Everything that was received, one character a byte. */
  readonly received: string;
}

/**
 * Sends bytes as they are to a port of the loopback, and reads until `responses` responses are whole or the peer closes
 * the connection. Throws where neither happens in time.
 */
export async function rawExchange(
  port: number,
  bytes: Uint8Array,
  { responses = 1, timeoutMs = PATIENT_MS } = {},
): Promise<RawResponse> {
  const ended = Promise.withResolvers<string>();
  let received = '';
  let sent = 0;
  const sendRest = (open: Bun.Socket) => {
    sent += open.write(bytes.subarray(sent));
  };
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: sendRest,
      drain: sendRest,
      data(_, chunk) {
        received += chunk.toString('latin1');
        if (readResponses(received).length >= responses) ended.resolve(received);
      },
      close: () => ended.resolve(received),
      error: () => ended.resolve(received),
    },
  });
  const timer = setTimeout(() => ended.reject(new Error(`no end after ${timeoutMs} ms: ${received}`)), timeoutMs);
  try {
    const text = await ended.promise;
    return { ...(readResponses(text).at(-1) ?? { status: null, headers: new Map(), body: '' }), received: text };
  } finally {
    clearTimeout(timer);
    socket.end();
  }
}

/** The bytes of a request with its length, on a connection that closes after it. */
export function requestBytes(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array | undefined,
): Uint8Array {
  const content = Buffer.from(body ?? '');
  const all = {
    Host: `127.0.0.1:${port}`,
    Connection: 'close',
    ...(body !== undefined && { 'Content-Length': String(content.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), content]);
}

/** The complete final responses at the start of what was received; all of ours have a length. */
function readResponses(received: string): Omit<RawResponse, 'received'>[] {
  const found: Omit<RawResponse, 'received'>[] = [];
  let at = 0;
  for (;;) {
    const headEnd = received.indexOf('\r\n\r\n', at);
    if (headEnd === -1) return found;
    const [statusLine = '', ...lines] = received.slice(at, headEnd).split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const end = headEnd + 4 + Number(headers.get('content-length') ?? 0);
    if (end > received.length) return found;
    if (status >= 200) found.push({ status, headers, body: received.slice(headEnd + 4, end) });
    at = end;
  }
}
