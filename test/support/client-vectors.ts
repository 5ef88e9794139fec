import { expect } from 'bun:test';
import { apiDocument } from '#src/app/parts/api-document.ts';
import { type RawResponse, requestBytes } from './raw-exchange.ts';

/** One hostile client and what it must be answered (`test/vectors/api-client.json`). */
export interface ClientVector {
  readonly id: string;
  readonly group: string;
  readonly raw?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly slow?: { readonly prefix: string; readonly dripEveryMs?: number; readonly readBytesPerSecond?: number };
  readonly config?: { readonly trustedProxies: readonly string[] };
  readonly expect: {
    readonly status?: readonly (number | 'close')[];
    readonly publicLog?: boolean;
    readonly noHeader?: string;
    readonly header?: Readonly<Record<string, string>>;
    readonly contentType?: string;
    readonly clientIs?: string;
    readonly closedWithinSeconds?: number;
  };
}

const { vectors }: { vectors: ClientVector[] } = await Bun.file(
  new URL('../vectors/api-client.json', import.meta.url),
).json();

/** Every client vector. */
export const CLIENT_VECTORS: readonly ClientVector[] = vectors;

const { paths } = await apiDocument('');

/** A vector's text with the names of this service in it. */
export function withNames(text: string, port: number): string {
  return text
    .replaceAll('{CHECK}', '/api/check-url')
    .replaceAll('{HISTORY}', '/api/history')
    .replaceAll('{HOST}', `127.0.0.1:${port}`);
}

/** What the client of a vector sends. */
export function vectorBytes(vector: ClientVector, port: number): Uint8Array {
  if (vector.raw !== undefined) return Buffer.from(withNames(vector.raw, port), 'latin1');
  const headers = Object.fromEntries(
    Object.entries(vector.headers ?? {}).map(([key, value]) => [key, withNames(value, port)]),
  );
  const body =
    vector.bodyBase64 === undefined
      ? vector.body?.replaceAll('"private":', '"private_mode":')
      : Buffer.from(vector.bodyBase64, 'base64');
  return requestBytes(port, vector.method ?? 'GET', withNames(vector.path ?? '/', port), headers, body);
}

/** Requires of an answer what the vector and the file's description ask for. */
export function expectAnswer(vector: ClientVector, response: RawResponse): void {
  const { status, noHeader, header, contentType } = vector.expect;
  expect(response.status ?? 200).toBeLessThan(500);
  if (status) expect(status).toContain(response.status ?? 'close');
  if (noHeader !== undefined) expect([...response.headers.keys()]).not.toContain(noHeader);
  for (const [name, part] of Object.entries(header ?? {})) expect(response.headers.get(name)).toContain(part);
  if (contentType !== undefined) expect(response.headers.get('content-type')).toBe(contentType);
  // Bun answers what is not HTTP itself, with a bare status; everything that reaches our code has our shape.
  if ((response.status ?? 0) >= 400 && response.headers.has('x-request-id')) expectProblem(vector, response);
}

function expectProblem({ path, method, body, raw }: ClientVector, response: RawResponse): void {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const members = Object.keys(JSON.parse(response.body)).slice(0, 5);
  expect(members).toEqual(['type', 'title', 'status', 'detail', 'request_id']);
  expect(response.body).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b/);
  expect(echoesMuch(body ?? raw ?? '', response.body)).toBe(false);
  if (path === '{CHECK}' && method === 'POST') {
    expect(Object.keys(paths['/api/check-url']?.['post']?.responses ?? {})).toContain(String(response.status));
  }
}

/** Whether the answer shows more than 200 characters of the input in a row. */
function echoesMuch(input: string, answer: string): boolean {
  const parts = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 200) }, (_, at) => text.slice(at, at + 201));
  const shown = new Set(parts(answer));
  return parts(input).some((part) => shown.has(part));
}
