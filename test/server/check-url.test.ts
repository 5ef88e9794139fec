import { expect, test } from 'bun:test';
import { UnavailableError } from '#src/base/refusal.ts';
import { startServer } from './running-server.ts';

test('a check is answered with its result, under the id of the response header', async () => {
  await using server = startServer();
  const response = await server.check({ url: 'http://example.com/', private_mode: true });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    url: 'http://example.com/',
    request_id: response.headers.get('x-request-id'),
  });
  expect(server.requests.map((request) => request.visibility)).toEqual(['private']);
});

test('a service that cannot take the check answers 503 and says when to come back', async () => {
  await using server = startServer({
    check: () => Promise.reject(new UnavailableError('overloaded', 'Too many checks are waiting.', 3)),
  });
  const response = await server.check({ url: 'http://example.com/' });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('3');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
});

test('a fault is answered without a word of it, and logged under the id of the request', async () => {
  await using server = startServer({ check: () => Promise.reject(new Error('/etc/secret at line 7')) });
  const response = await server.check({ url: 'http://example.com/' });
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toContain('secret');
  const logged = server.log.map((line) => JSON.parse(line));
  expect(logged.map((line) => line.request_id)).toEqual([response.headers.get('x-request-id')]);
  expect(logged[0].error.message).toBe('/etc/secret at line 7');
});
