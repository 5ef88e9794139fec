import { expect, test } from 'bun:test';
import { parseCidr } from '#src/base/ip.ts';
import { DOCS } from '#src/server/docs.ts';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

interface ClientVector {
  readonly id: string;
  readonly raw?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly slow?: object;
  readonly config?: { readonly trustedProxies: readonly string[] };
  readonly expect: {
    readonly status?: readonly (number | 'close')[];
    readonly publicLog?: boolean;
    readonly noHeader?: string;
    readonly header?: Readonly<Record<string, string>>;
    readonly contentType?: string;
    readonly clientIs?: string;
  };
}

const { vectors }: { vectors: ClientVector[] } = await Bun.file(
  new URL('../vectors/api-client.json', import.meta.url),
).json();

for (const vector of vectors.filter(({ slow }) => !slow)) {
  test(`api-client vector ${vector.id}`, async () => {
    const trustedProxy = (vector.config?.trustedProxies ?? [])
      .map(parseCidr)
      .filter((cidr) => typeof cidr === 'object');
    await using server = startServer({ settings: { trustedProxy } });
    const response = await rawExchange(server.port, bytesOf(vector, server.port));
    const { status, publicLog, noHeader, header, contentType, clientIs } = vector.expect;

    expect(response.status ?? 200).toBeLessThan(500);
    if (status) expect(status).toContain(response.status ?? 'close');
    if (publicLog !== undefined) {
      expect(server.requests.some(({ visibility }) => visibility === 'public')).toBe(publicLog);
    }
    if (response.status !== 200) expect(server.requests).toEqual([]);
    if (noHeader !== undefined) expect([...response.headers.keys()]).not.toContain(noHeader);
    for (const [name, part] of Object.entries(header ?? {})) expect(response.headers.get(name)).toContain(part);
    if (contentType !== undefined) expect(response.headers.get('content-type')).toBe(contentType);
    if (clientIs !== undefined) {
      expect(server.requests.map(({ client }) => client)).toEqual([clientIs === 'peer' ? '127.0.0.1' : clientIs]);
    }
    // Bun answers what is not HTTP itself, with a bare status; everything that reaches our code has our shape.
    if ((response.status ?? 0) >= 400 && response.headers.has('x-request-id')) {
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(Object.keys(JSON.parse(response.body)).slice(0, 5)).toEqual([
        'type',
        'title',
        'status',
        'detail',
        'request_id',
      ]);
      if (vector.path === '{CHECK}' && vector.method === 'POST') {
        expect(Object.keys(DOCS.checkUrl.responses)).toContain(String(response.status));
      }
      expect(response.body).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b/);
      expect(echoesMuch(vector.body ?? vector.raw ?? '', response.body)).toBe(false);
    }
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect(server.log).toEqual([]);
  });
}

function bytesOf(vector: ClientVector, port: number): Uint8Array {
  const named = (text: string) =>
    text
      .replaceAll('{CHECK}', '/api/check-url')
      .replaceAll('{HISTORY}', '/api/history')
      .replaceAll('{HOST}', `127.0.0.1:${port}`);
  if (vector.raw !== undefined) return Buffer.from(named(vector.raw), 'latin1');
  const headers = Object.fromEntries(Object.entries(vector.headers ?? {}).map(([key, value]) => [key, named(value)]));
  const body =
    vector.bodyBase64 === undefined
      ? vector.body?.replaceAll('"private":', '"private_mode":')
      : Buffer.from(vector.bodyBase64, 'base64');
  return requestBytes(port, vector.method ?? 'GET', named(vector.path ?? '/'), headers, body);
}

/** Whether the answer shows more than 200 characters of the input in a row. */
function echoesMuch(input: string, answer: string): boolean {
  const shown = new Set(
    Array.from({ length: Math.max(0, answer.length - 200) }, (_, at) => answer.slice(at, at + 201)),
  );
  return Array.from({ length: Math.max(0, input.length - 200) }, (_, at) => input.slice(at, at + 201)).some((part) =>
    shown.has(part),
  );
}
