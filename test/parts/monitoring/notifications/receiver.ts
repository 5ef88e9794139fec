import http from 'node:http';
import { ANY_PORT, type Listening, listen } from '#test/support/listen.ts';

/** One POST that a receiver got. */
export interface Received {
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks. It answers with the statuses in turn, then with 204. */
export async function receiver(
  statuses: readonly number[] = [],
): Promise<Listening & { readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const left = [...statuses];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', headers } = request;
      received.push({ method, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(left.shift() ?? 204, { location: '/elsewhere' }).end();
    });
  });
  const listening = await listen(server, ANY_PORT);
  return { ...listening, url: `http://127.0.0.1:${listening.port}/hook?team=7`, received };
}
