import { ACCEPT_ENCODING, decodeBody } from './body.ts';
import { type Hop, type HopConnection, type HopLimits, type HopRequest, redirectLocation } from './hop.ts';
import { readResponse } from './read-response.ts';
import type { ResponseHead } from './response-head.ts';
import { createResponseReader } from './response-reader.ts';

/**
 * Sends the request and reads the answer as browsers do. The caller closes the socket. What ends early after the header
 * came is `truncated`; what no browser takes is `response_malformed`.
 */
export async function performHop(
  request: HopRequest,
  connection: HopConnection,
  limits: HopLimits,
  signal: AbortSignal,
): Promise<Hop> {
  const { address, tls } = connection;
  const isBodyNeeded = (head: ResponseHead) => !(request.skipRedirectBody === true && redirectLocation(head) !== null);
  const mayBeBodyAlone = new URL(request.url.requestUrl).port === '';
  const reader = createResponseReader(limits, { isBodyNeeded, mayBeBodyAlone });
  const response = await readResponse(requestText(request), connection, reader, limits.wireBytes, signal);
  const { status, headers } = response;
  const body = await decodeBody(response.body, headers.get('content-encoding') ?? '', limits.bodyBytes);
  return {
    status,
    headers,
    body: body.bytes,
    truncated: response.truncated || body.truncated,
    decoded: body.decoded,
    address,
    tls,
    wireBytes: connection.wireBytes(),
  };
}

/** The request as it goes out. What a stranger chose in it, path and host, the URL parser has made plain ASCII. */
function requestText({ url, headers = {} }: HopRequest): string {
  const { host, pathname, search } = new URL(url.requestUrl);
  const fields = { Host: host, ...headers, 'Accept-Encoding': ACCEPT_ENCODING, Connection: 'close' };
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  const breaking = lines.find((line) => /[^\x20-\x7e]/.test(line));
  if (breaking !== undefined) throw new TypeError(`a line of a request must be of plain ASCII: ${breaking}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
