import type { Socket } from 'node:net';
import { FailureError } from '#src/core/base/failure.ts';
import { createByteSink } from '../budget/byte-sink.ts';
import { untilAborted } from '../budget/deadline.ts';
import { type Endpoint, formatEndpoint } from '../endpoint.ts';
import type { ProxyEndpoint } from '../settings.ts';

const MAX_ANSWER_BYTES = 8 * 1024;

/**
 * Opens a tunnel through an HTTP proxy to an address that the policy allows (RFC 9110 §9.3.6), never to a name, which
 * the proxy would resolve itself. Fails with `proxy_failed`.
 */
export async function openTunnel(
  socket: Socket,
  { credentials }: Pick<ProxyEndpoint, 'credentials'>,
  to: Endpoint,
  signal: AbortSignal,
): Promise<void> {
  const authority = formatEndpoint(to);
  const authorization =
    credentials === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
  const answer = createByteSink(MAX_ANSWER_BYTES);
  try {
    await untilAborted<void>(signal, (resolve, reject) => {
      const fail = (detail: string) => reject(new FailureError('proxy_failed', `${authority}: ${detail}`));
      const listener = (chunk: Uint8Array) => {
        const fits = answer.push(chunk);
        const text = Buffer.from(answer.bytes()).toString('latin1');
        const end = text.indexOf('\r\n\r\n');
        if (end < 0) return fits ? undefined : fail('its answer has no end');
        const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(text)?.[1];
        if (status?.startsWith('2') !== true) return fail(`the proxy answered ${status ?? 'something else than HTTP'}`);
        // In TLS and HTTP the client sends first, so that no byte may follow yet.
        return text.length === end + 4 ? resolve() : fail('the proxy sent more than its answer');
      };
      socket.on('data', listener);
      socket.on('error', (error) => fail(error.message));
      socket.on('close', () => fail('the proxy hung up'));
      socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`);
      // Not paused: the next reader may not resume it.
      return () => socket.off('data', listener);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
