import { FailureError } from '#src/core/base/failure.ts';
import { abortFailure, untilAborted } from '../budget/semaphore.ts';
import { socketFailure } from '../connect/dial.ts';
import { ACCEPT_ENCODING, decodeBody } from './body.ts';
import { type Hop, type HopConnection, type HopLimits, type HopRequest, redirectLocation } from './hop.ts';
import { createResponseReader, type RawResponse, type ResponseHead, type ResponseReader } from './response-reader.ts';

/**
 * Read size of Bun 1.4.4, reserved so that a read cannot exceed the wire budget; for a small budget, an eighth of it.
 */
const READ_BYTES = 512 * 1024;
/** Maximum number of reads per response, which bounds the cost of a server that sends tiny chunks. */
const MAX_PIECES = 65_536;

const closedEarly = () => new FailureError('connection_reset', 'closed before the header was complete');
/** The server closed a connection that an earlier request left open, before it answered this one. */
export class StaleConnectionError extends FailureError {}

const headTooLong = () => new FailureError('response_malformed', 'no complete header within the maximum size');

/**
 * Writes a request and reads its response up to `maxWireBytes`. After the head, any early end returns what was received
 * as `truncated`, because a part of a page is better than none.
 */
export async function readResponse(
  request: string,
  { socket, wireBytes, isReused = false }: HopConnection,
  reader: ResponseReader,
  maxWireBytes: number,
  signal: AbortSignal,
): Promise<RawResponse> {
  const lastReadAt = maxWireBytes - Math.min(READ_BYTES, maxWireBytes / 8);
  let pieces = 0;
  try {
    return await untilAborted<RawResponse>(signal, (resolve, reject) => {
      const end = (failure: (() => FailureError) | null) => {
        const response = reader.finish(failure === null);
        if (response) resolve(response);
        else if (isReused && pieces === 0) reject(() => new StaleConnectionError('connection_reset'));
        else reject(failure ?? closedEarly);
      };
      const onData = (piece: Uint8Array) => {
        pieces++;
        try {
          const isDone = reader.push(piece) || wireBytes() > lastReadAt || pieces > MAX_PIECES;
          if (isDone) end(headTooLong);
        } catch (error) {
          reject(error instanceof Error ? error : new TypeError(String(error)));
        }
      };
      const onEnd = () => end(null);
      const onClose = () => end(closedEarly);
      const onError = (error: unknown) => end(() => socketFailure(error, 'response_malformed'));
      socket.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
      socket.write(request, 'latin1');
      return () => {
        socket.pause();
        socket.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      };
    });
  } catch (error) {
    const isLate = signal.aborted && abortFailure(signal).code === 'timeout';
    const response = isLate ? reader.finish(false) : null;
    if (!response) throw error;
    return response;
  }
}

/**
 * Sends the request and reads the response as browsers do. The caller disposes of the connection. A response that ends early
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
  if (response.isReusable && !body.truncated) connection.keepOpen?.();
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

/** Formats the request. The URL parser has made the untrusted parts, path and host, plain ASCII. */
function requestText({ url, headers = {}, keepOpen = false }: HopRequest): string {
  const { host, pathname, search } = new URL(url.requestUrl);
  const defaults = { 'Accept-Encoding': ACCEPT_ENCODING, Connection: keepOpen ? 'keep-alive' : 'close' };
  const fields = { Host: host, ...headers, ...defaults, ...headers };
  const lines = [
    `GET ${pathname}${search} HTTP/1.1`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  const breaking = lines.find((line) => /[^\x20-\x7e]/.test(line));
  if (breaking !== undefined) throw new TypeError(`a line of a request must be of plain ASCII: ${breaking}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
