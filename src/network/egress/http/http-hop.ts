import { ACCEPT_ENCODING, decodeBody } from './body.ts';
import { type Hop, type HopConnection, type HopLimits, type HopRequest, redirectLocation } from './hop.ts';
import { readResponse } from './read-response.ts';
import type { ResponseHead } from './response-head.ts';
import { createResponseReader } from './response-reader.ts';

/**
 * Sends the request and reads the response as browsers do. The caller closes the socket. A response that ends early
 * after its head is `truncated`; one that no browser accepts fails with `response_malformed`.
 */
export async function performHop(
  request: HopRequest,
  connection: HopConnection,
  limits: HopLimits,
  signal: AbortSignal,
): Promise<Hop> {
  const { address, tls } = connection;
  const isBodyNeeded = (head: ResponseHead) => !(request.skipRedirectBody === true && redirectLocation(head) !== null);
  const allowHttp09 = new URL(request.url.requestUrl).port === '';
  const reader = createResponseReader(limits, { isBodyNeeded, allowHttp09 });
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

const DEFAULT_HEADERS = { 'Accept-Encoding': ACCEPT_ENCODING, Connection: 'close' };

/** Formats the request. The URL parser has made the untrusted parts, path and host, plain ASCII. */
function requestText({ url, headers = {} }: HopRequest): string {
  const { host, pathname, search } = new URL(url.requestUrl);
  const fields = { Host: host, ...headers, ...DEFAULT_HEADERS, ...headers };
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  const breaking = lines.find((line) => /[^\x20-\x7e]/.test(line));
  if (breaking !== undefined) throw new TypeError(`a line of a request must be of plain ASCII: ${breaking}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
