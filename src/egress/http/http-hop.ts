import { FailureError } from '#src/base/failure.ts';
import { decodeBody } from './body.ts';
import { type Hop, type HopConnection, type HopLimits, type HopRequest, redirectLocation } from './hop.ts';
import { readHttpBody } from './http-body.ts';
import { requestHttpHeader } from './http-header.ts';

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
  const isSkipped = request.skipRedirectBody === true && redirectLocation({ status, headers }) !== null;
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
