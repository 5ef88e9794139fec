import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { fieldErrors, readStrictJson } from '#src/service/server/http/field-errors.ts';
import { isForPerson } from '#src/service/server/http/misdirected.ts';
import { createUnrouted, pathOf, withoutSlash } from '#src/service/server/http/unrouted.ts';
import { rawExchange } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

const request = (path: string, init: RequestInit = {}) => new Request(`http://a.example${path}`, init);

test.each([
  ['/', '/'],
  ['/a/b', '/a/b'],
  ['/a?b=/c', '/a'],
  ['/a//b', '/a//b'],
])('the path of %s is %s', (address, path) => {
  expect(pathOf(request(address))).toBe(path);
});

test.each([
  ['/help/', '../help'],
  ['/a/help/?x', '../help'],
  ['/', null],
  ['/help', null],
  ['//', null],
])('the page of %s without its final slash is at %p', (address, without) => {
  expect(withoutSlash(request(address))).toBe(without);
});

test.each([
  ['text/html', true],
  ['application/json, TEXT/HTML;q=0.9', true],
  ['*/*', false],
  ['text/htmlx', false],
  ['xtext/html', false],
  ['', false],
])('a request that accepts “%s” gets an answer for a person: %p', (accept, isPerson) => {
  expect(isForPerson(request('/', { headers: { accept } }))).toBe(isPerson);
});

test.each([
  [true, 'localhost', 'max-age=31536000'],
  [true, 'localhost:8443', undefined],
  [false, 'localhost', undefined],
])('with TLS: %p, an answer under %s has Strict-Transport-Security: %p', async (isSecure, host, demanded) => {
  await using server = startServer({ isSecure });
  const bytes = Buffer.from(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const { status, headers } = await rawExchange(server.port, bytes);
  expect([status, headers.get('strict-transport-security') ?? undefined]).toEqual([200, demanded]);
});

test('a request with a Content-Length of more than 1 MiB gets 413', async () => {
  await using server = startServer();
  const statusOf = async (bytes: number) => {
    const head = `POST /api/check-url HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${bytes}\r\n\r\n`;
    return (await rawExchange(server.port, Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)]))).status;
  };
  expect([await statusOf(2 ** 20), await statusOf(2 ** 20 + 1)]).toEqual([415, 413]);
});

test('an unrouted request returns not found, or the allowed methods of its path', () => {
  const unrouted = createUnrouted([
    { method: 'GET', path: '/api/a' },
    { method: 'POST', path: '/api/a' },
    { method: 'GET', path: '/help/:part' },
  ]);
  expect(unrouted(request('/api/b'))).toMatchObject({ code: 'not_found' });
  expect(unrouted(request('/help'))).toMatchObject({ code: 'not_found' });
  expect(unrouted(request('/help/a/b'))).toMatchObject({ code: 'not_found' });
  expect(unrouted(request('/other/a'))).toMatchObject({ code: 'not_found' });
  expect(unrouted(request('/api/a', { method: 'DELETE' }))).toMatchObject({
    code: 'method_not_allowed',
    headers: { allow: 'GET, HEAD, POST, OPTIONS' },
  });
  expect(unrouted(request('/api/a', { method: 'OPTIONS' }))).toEqual({ allow: 'GET, HEAD, POST, OPTIONS' });
  expect(unrouted(request('/help/lists', { method: 'POST' }))).toMatchObject({
    headers: { allow: 'GET, HEAD, OPTIONS' },
  });
});

test('a refusal names missing and wrong fields in schema order, then at most four unknown members', () => {
  const wrong = {
    fault: (value: unknown) => (value === 1 ? null : { code: 'invalid_body' as const, message: 'must be 1' }),
  };
  const schema = Type.Object(
    { a: Type.Any(wrong), b: Type.Any(wrong), c: Type.Optional(Type.Any(wrong)) },
    { additionalProperties: false },
  );
  const named = (body: object) => fieldErrors(schema, body).map(({ field, message }) => `${field} ${message}`);
  expect(named({ a: 1, b: 1 })).toEqual([]);
  expect(named({ c: 2, b: 2 })).toEqual(['a is required', 'b must be 1', 'c must be 1']);
  expect(named({ a: 1, b: 1, p: 1, q: 1, r: 1, s: 1, t: 1 }).map((text) => text.charAt(0))).toEqual([
    'p',
    'q',
    'r',
    's',
  ]);
  expect(fieldErrors({ ...schema, additionalProperties: true }, { a: 1, b: 1, x: 1 })).toEqual([]);
  expect(fieldErrors(Type.Object({ any: Type.Any() }), {})).toEqual([
    { field: 'any', code: 'invalid_body', message: 'is required' },
  ]);
  const [long] = fieldErrors(schema, { a: 1, b: 1, ['x'.repeat(41)]: 1 });
  expect(long?.field).toBe(`${'x'.repeat(40)}…`);
});

test('JSON of 32 levels is accepted, and of 33 refused', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  expect(readStrictJson(nested(32))).toHaveProperty('value');
  expect(readStrictJson(nested(33))).toHaveProperty('refusal');
  // Siblings add no level.
  expect(readStrictJson(Buffer.from(`[${'[],'.repeat(50)}{}]`))).toHaveProperty('value');
});
