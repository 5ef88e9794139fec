import { expect, test } from 'bun:test';
import { dial } from '#src/network/egress/connect/dial.ts';
import { readResponse } from '#src/network/egress/http/http-hop.ts';
import { createResponseReader } from '#src/network/egress/http/response-reader.ts';
import { serveScript } from './script-server.ts';

const KIB = 1024;
const LIMITS = { headerBytes: 1000, wireBytes: 1000, bodyBytes: 1000 };

/** Reads from a server that never comes to an end, when this many bytes have come over the wire. */
async function readAt(wireBytes: number, maxWireBytes: number, signal: AbortSignal): Promise<string> {
  await using server = await serveScript(() => [{ op: 'send', data: 'HTTP/1.1 200 OK\r\n\r\npart' }, { op: 'hang' }]);
  const endpoint = { address: '127.0.0.1', port: server.port };
  const socket = await dial(endpoint, new AbortController().signal);
  const connection = { ...endpoint, socket, tls: null, wireBytes: () => wireBytes };
  const reader = createResponseReader(LIMITS, { isBodyNeeded: () => true, allowHttp09: false });
  try {
    const { body, truncated } = await readResponse('GET / HTTP/1.1\r\n\r\n', connection, reader, maxWireBytes, signal);
    return `${Buffer.from(body)}${truncated ? ' …' : ''}`;
  } catch (error) {
    return String(error);
  } finally {
    socket.destroy();
  }
}

test.each([
  ['an eighth of a small budget', 80, 70],
  ['as much as is read at once of a large one', 16 * KIB * KIB, (16 * KIB - 512) * KIB],
])('stops reading if less of the budget is left than %s', async (_, maxWireBytes, last) => {
  expect(await readAt(last + 1, maxWireBytes, new AbortController().signal)).toBe('part …');
  expect(await readAt(last, maxWireBytes, AbortSignal.timeout(100))).toContain('the check ended');
});
