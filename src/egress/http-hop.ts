import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FailureError } from '#src/base/failure.ts';
import type { Target } from '#src/url/target.ts';
import { ACCEPT_ENCODING, decodeBody } from './body.ts';
import { createByteSink } from './byte-sink.ts';
import { abortFailure, untilAborted } from './deadline.ts';
import { socketFailure } from './socket-failure.ts';
import type { TlsPeer } from './tls-peer.ts';

/** One HTTP request: GET without credentials, cookies or body. */
export interface HopRequest {
  readonly url: Target;
  /** Sent beside `Host`, `Connection: close` and `Accept-Encoding`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A smaller budget than the settings' for the decoded body. */
  readonly bodyBytes?: number;
  /** From the first packet to the last byte, in milliseconds; null where only the signal bounds it. */
  readonly timeoutMs?: number;
  /** True refuses a server whose certificate is not trusted, before the request is written. */
  readonly trustRequired?: boolean;
  /** True leaves the body unread where the answer redirects. */
  readonly skipRedirectBody?: boolean;
}

/** One HTTP answer. */
export interface Hop {
  readonly status: number;
  /** By lower-case name. Several of one name are joined by a comma, but for `location`, of which the first counts. */
  readonly headers: ReadonlyMap<string, string>;
  /** Decompressed. Empty where the content coding is unknown or could not be undone at all. */
  readonly body: Uint8Array;
  /** True where the body was longer than a budget, ended early or took too long; `body` holds what came. */
  readonly truncated: boolean;
  /** False where a content coding was left on: an unknown one, or several. */
  readonly decoded: boolean;
  /** The address that was connected to (behind a proxy: that the proxy was asked for). */
  readonly address: string;
  /** Null over plain HTTP. */
  readonly tls: TlsPeer | null;
  readonly wireBytes: number;
}

/** The socket of a hop, connected and, for https, with TLS agreed on. */
export interface HopConnection {
  readonly socket: Socket;
  readonly address: string;
  readonly tls: TlsPeer | null;
  /** Bytes that came over the wire so far, those of TLS included. */
  wireBytes(): number;
}

export interface HopLimits {
  readonly headerBytes: number;
  readonly wireBytes: number;
  readonly bodyBytes: number;
}

/** Informational answers (1xx) before the real one. */
const MAX_INFORMATIONAL = 8;
/** What Bun 1.4.4 reads from a socket at once; the budget for the wire must not be overrun by it. */
const READ_BYTES = 512 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Sends the request and reads the answer, in the strict framing of the runtime's parser. The caller closes the socket.
 * What ends early after the header came is `truncated`; what breaks the protocol is `response_malformed`.
 */
export async function performHop(
  request: HopRequest,
  connection: HopConnection,
  limits: HopLimits,
  signal: AbortSignal,
): Promise<Hop> {
  const { address, tls } = connection;
  const exchange = await requestHeader(request, connection, limits.headerBytes, signal);
  const { response } = exchange;
  const status = response.statusCode ?? 0;
  if (status < 100) throw new FailureError('response_malformed', `status ${status}`);
  const headers = headerMap(response.rawHeaders);
  const isSkipped = request.skipRedirectBody === true && REDIRECTS.has(status) && headers.has('location');
  const read = isSkipped
    ? EMPTY
    : await readBody(exchange, connection, limits, headers.has('content-encoding'), signal);
  const body = await decodeBody(read.bytes, headers.get('content-encoding') ?? '', limits.bodyBytes);
  return {
    status,
    headers,
    body: body.bytes,
    truncated: read.truncated || body.truncated,
    decoded: body.decoded,
    address,
    tls,
    wireBytes: connection.wireBytes(),
  };
}

interface HttpExchange {
  readonly outgoing: ClientRequest;
  readonly response: IncomingMessage;
  /** A fault of the body that stood in the same packet as the header. */
  readonly earlyFault: () => Error | null;
}

const EMPTY = { bytes: new Uint8Array(), truncated: false };

function requestHeader(
  { url, headers = {} }: HopRequest,
  { socket }: HopConnection,
  headerBytes: number,
  signal: AbortSignal,
): Promise<HttpExchange> {
  return untilAborted(signal, (resolve, reject) => {
    const { host, pathname, search } = new URL(url.requestUrl);
    let informational = 0;
    let fault: Error | null = null;
    const outgoing = http.request({
      // An agent beside it would make the runtime ignore `createConnection` and resolve the host by itself.
      createConnection: () => socket,
      setDefaultHeaders: false,
      maxHeaderSize: headerBytes,
      method: 'GET',
      path: `${pathname}${search}`,
      headers: { Host: host, ...headers, 'Accept-Encoding': ACCEPT_ENCODING, Connection: 'close' },
    });
    outgoing.on('error', (error) => {
      fault = error;
      reject(httpFailure(error));
    });
    outgoing.on('close', () => reject(new FailureError('connection_reset', 'closed before the header was complete')));
    outgoing.on('upgrade', () => reject(new FailureError('response_malformed', 'an upgrade that nobody asked for')));
    outgoing.on('information', () => {
      informational++;
      if (informational > MAX_INFORMATIONAL) {
        reject(new FailureError('response_malformed', 'too many informational answers'));
      }
    });
    outgoing.on('response', (response) => {
      // Paused until it is read, with a listener, so that a late error cannot end the process.
      response.pause();
      response.on('error', () => {});
      resolve({ outgoing, response, earlyFault: () => fault });
    });
    outgoing.end();
    return () => {};
  });
}

async function readBody(
  { outgoing, response, earlyFault }: HttpExchange,
  { wireBytes }: HopConnection,
  limits: HopLimits,
  isCoded: boolean,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const sink = createByteSink(isCoded ? limits.wireBytes : limits.bodyBytes);
  const cut = () => ({ bytes: sink.bytes(), truncated: true });
  try {
    return await untilAborted(signal, (resolve, reject) => {
      response.on('data', (chunk: Uint8Array) => {
        if (!sink.push(chunk) || wireBytes() + READ_BYTES > limits.wireBytes) resolve(cut());
      });
      response.on('end', () => resolve({ bytes: sink.bytes(), truncated: !response.complete }));
      response.on('close', () => resolve(cut()));
      response.on('aborted', () => resolve(cut()));
      const onError = (error: Error) => {
        const failure = httpFailure(error);
        if (failure.code === 'connection_reset') resolve(cut());
        else reject(failure);
      };
      response.on('error', onError);
      // The parser reports a fault in the body here, before the response knows that it has been closed.
      outgoing.on('error', onError);
      const fault = earlyFault();
      if (fault) onError(fault);
      response.resume();
      return () => response.destroy();
    });
  } catch (error) {
    // Too slow, but not in vain: a part of a page is worth more than none.
    if (signal.aborted && abortFailure(signal).code === 'timeout') return cut();
    throw error;
  }
}

function httpFailure(error: Error): FailureError {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new FailureError('response_header_too_large', code, { cause: error });
  if (code.startsWith('HPE_')) return new FailureError('response_malformed', code, { cause: error });
  return socketFailure(error, 'response_malformed');
}

function headerMap(raw: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]?.toLowerCase() ?? '';
    const value = raw[i + 1] ?? '';
    const earlier = headers.get(name);
    if (earlier === undefined) headers.set(name, value);
    else if (name !== 'location') headers.set(name, `${earlier}, ${value}`);
  }
  return headers;
}
