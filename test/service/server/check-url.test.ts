import { expect, test } from 'bun:test';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { resultOf, startServer } from './running-server.ts';

test('a check returns its result with the id of the response header', async () => {
  await using server = startServer();
  const response = await server.check({ url: 'http://example.com/', private_mode: true });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    url: 'http://example.com/',
    request_id: response.headers.get('x-request-id'),
  });
  expect(server.requests.map((request) => request.visibility)).toEqual(['private']);
});

test('a check takes a picture in the window of its request', async () => {
  await using server = startServer();
  const url = 'http://example.com/';
  for (const body of [{ url }, { url, screenshot: 'phone' }]) expect((await server.check(body)).status).toBe(200);
  expect(server.requests.map(({ screenshot }) => screenshot)).toEqual([undefined, 'phone']);
  const refused = await server.check({ url, screenshot: 'tablet' });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ detail: 'screenshot must be "desktop" or "phone".' });
});

test('a service that cannot accept a check returns 503 with Retry-After', async () => {
  await using server = startServer({
    check: () => Promise.reject(new UnavailableError('overloaded', 'Too many checks are waiting.', 3)),
  });
  const response = await server.check({ url: 'http://example.com/' });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('3');
  expect(response.headers.get('content-type')).toBe('application/problem+json');
});

test('a fault returns 500 without details, and is logged under the request id', async () => {
  await using server = startServer({ check: () => Promise.reject(new Error('/etc/secret at line 7')) });
  const response = await server.check({ url: 'http://example.com/' });
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toContain('secret');
  const logged = server.log.map((line) => JSON.parse(line));
  expect(logged.map((line) => line.request_id)).toEqual([response.headers.get('x-request-id')]);
  expect(logged[0].error.message).toBe('/etc/secret at line 7');
});

test('a fault in a private check logs its source location, but nothing of its URL', async () => {
  await using server = startServer({
    check: ({ target }) => Promise.reject(new Error(`cannot\nread ${target.url}\n    at ${target.url}:80:80`)),
  });
  for (const headers of [{}, { Accept: 'text/event-stream' }]) {
    await (await server.check({ url: 'http://very-private.example/', private_mode: true }, headers)).text();
  }
  expect(server.log.length).toBe(2);
  for (const line of server.log) {
    expect(line).not.toContain('very-private');
    expect(line).toContain('check-url.test.ts');
  }
});

test('a response without a result contains the rate-limit headers, too', async () => {
  await using server = startServer({
    settings: { rate_limit: 9 },
    check: () => Promise.reject(new UnavailableError('overloaded', 'Too many checks are waiting.', 3)),
  });
  const { headers } = await server.check({ url: 'http://example.com/' });
  expect(headers.get('ratelimit')).toStartWith('"default";r=8;');
});

test('an answer that violates its schema is not sent, and the log names the violation', async () => {
  await using server = startServer({
    check: async (request) => ({ ...resultOf(request), malicious_probability: 1.5, decision: 'block' }),
  });
  for (const isPrivate of [false, true]) {
    const response = await server.check({ url: 'http://very-private.example/', private_mode: isPrivate });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('very-private');
    expect(JSON.parse(server.log.at(-1) ?? '')).toMatchObject({
      event: 'server.fault',
      request_id: response.headers.get('x-request-id'),
      error: '"malicious_probability" must be a number from 0 to 1',
    });
  }
  expect(server.log.join('')).not.toContain('very-private');
});

test('a member named __proto__ is rejected as unknown, also in escaped form', async () => {
  await using server = startServer();
  for (const name of ['__proto__', '\\u005f_proto__']) {
    for (const value of ['1', 'null', '{"private_mode":true}']) {
      const response = await server.check(`{"url":"http://example.com/","${name}":${value}}`);
      expect(await response.json()).toMatchObject({ status: 400, errors: [{ field: '__proto__' }] });
    }
  }
  expect(server.requests).toEqual([]);
});

test('a refusal names each bad field, those that the schema rejects and those that the URL parser rejects', async () => {
  await using server = startServer();
  const response = await server.check({ url: 'ftp://example.com/', private_mode: 1, privat: true });
  const errors = [
    { field: 'url', message: expect.stringContaining('http://') },
    { field: 'private_mode', message: 'must be true or false' },
    { field: 'privat', message: 'is not a member of this request' },
  ];
  expect(await response.json()).toMatchObject({
    detail: expect.stringMatching(/^url .*; private_mode must be true or false; privat is not a member/),
    errors,
  });
});

test('the compiled check route parses only the parts of a request that a hook uses', async () => {
  await using server = startServer();
  const composed = server.composed('/api/check-url');
  // Elysia reads from the text of the hooks what they need; where it is at a loss, it takes it that they need everything.
  expect(composed).toContain('e.parse[2]');
  expect(composed).not.toContain('await parseCookie(');
  // The query alone is asked for, and read where there is one.
  expect(composed).toContain('if(c.qi===-1){c.query=Object.create(null)}');
  // No hook that is not asynchronous is waited for.
  expect(composed).not.toContain('await e.transform');
});

test('a body without a length is read in order, up to its limit', async () => {
  await using server = startServer();
  const send = async (pieces: readonly string[]) =>
    await fetch(`${server.url}/api/check-url`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      // Each piece is sent when the one before it was taken.
      body: new ReadableStream({
        async start(controller) {
          for (const piece of pieces) {
            controller.enqueue(new TextEncoder().encode(piece));
            for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
          }
          controller.close();
        },
      }),
    });
  const large = 'x'.repeat(8000);
  const pieces = ['{"url": "http://exa', 'mple.com/', large, '"', '}'];
  expect((await send(pieces)).status).toBe(200);
  expect(server.requests.map(({ target }) => target.input)).toEqual([`http://example.com/${large}`]);
  expect((await send([...pieces, ' '.repeat(20_000), ' '.repeat(20_000)])).status).toBe(413);
});
