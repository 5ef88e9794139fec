import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { FailureError } from '#src/base/failure.ts';
import { untilAborted } from '../budget/deadline.ts';
import { ACCEPT_ENCODING } from './body.ts';
import type { HopConnection, HopRequest } from './hop.ts';
import { httpFailure } from './http-failure.ts';

/** Informational answers (1xx) before the real one. */
const MAX_INFORMATIONAL = 8;

/** An answer whose header has come; its body is paused. */
export interface HttpExchange {
  readonly outgoing: ClientRequest;
  readonly response: IncomingMessage;
  /** A fault of the body that stood in the same packet as the header. */
  readonly earlyFault: () => Error | null;
}

/** Sends a request and waits for the header of its answer. */
export function requestHttpHeader(
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
