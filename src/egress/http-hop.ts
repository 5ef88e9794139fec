import type { Socket } from 'node:net';
import { FailureError } from '#src/base/failure.ts';
import type { Target } from '#src/url/target.ts';
import { decodeBody } from './body.ts';
import { readHttpBody } from './http-body.ts';
import { requestHttpHeader } from './http-header.ts';
import type { TlsPeer } from './tls-peer.ts';

/** One HTTP request: GET without credentials, cookies or body. */
export interface HopRequest {
  readonly url: Target;
  /** Sent beside `Host`, `Connection: close` and `Accept-Encoding`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A smaller budget than the settings' for the decoded body. */
  readonly bodyBytes?: number;
  /** From the first packet to the last byte, in milliseconds. Left out: only the signal bounds it. */
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
  const exchange = await requestHttpHeader(request, connection, limits.headerBytes, signal);
  const { response } = exchange;
  const status = response.statusCode ?? 0;
  if (status < 100) throw new FailureError('response_malformed', `status ${status}`);
  const headers = headerMap(response.rawHeaders);
  const isSkipped = request.skipRedirectBody === true && REDIRECTS.has(status) && headers.has('location');
  const read = isSkipped
    ? EMPTY
    : await readHttpBody(exchange, connection, limits, headers.has('content-encoding'), signal);
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

const EMPTY = { bytes: new Uint8Array(), truncated: false };

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
