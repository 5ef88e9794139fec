import { expect, test } from 'bun:test';
import type { Readiness, ServicePart } from '#src/service/server/health-routes.ts';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { startServer } from './running-server.ts';

const ORDER = { url: 'http://example.com/' };

test('a client over the limit gets 429; otherwise 403, 421, 415, 413 and 400 take precedence in this order', async () => {
  const faults = {
    403: { 'Sec-Fetch-Site': 'cross-site' },
    421: { Host: 'other.example' },
    415: { 'Content-Type': 'text/plain' },
    413: { 'X-Long': 'yes' },
    400: {},
  };
  const statuses = [403, 421, 415, 413, 400] as const;
  await using server = startServer({ settings: { rate_limit: statuses.length, host: ['check.example', '127.0.0.1'] } });
  for (let n = 0; n <= statuses.length; n++) {
    const left = statuses.slice(n % statuses.length);
    const headers = Object.assign({ 'Content-Type': 'application/json' }, ...left.map((status) => faults[status]));
    const body = left.includes(413) ? 'x'.repeat(40_000) : '{';
    const bytes = requestBytes(server.port, 'POST', '/api/check-url', headers, body);
    const { status } = await rawExchange(server.port, bytes);
    expect(status).toBe(statuses[n] ?? 429);
  }
});

test('a request over the limit takes no place, and each answer contains the remaining places', async () => {
  await using server = startServer({ settings: { rate_limit: 3, contact: 'ops@example.com' } });
  const seen = [];
  for (let n = 0; n < 6; n++) {
    const { status, headers } = await server.check(n === 1 ? '{' : ORDER);
    seen.push([status, headers.get('ratelimit')?.split(';')[1], headers.has('retry-after')]);
  }
  expect(seen).toEqual([
    [200, 'r=2', false],
    [400, 'r=1', false],
    [200, 'r=0', false],
    [429, 'r=0', true],
    [429, 'r=0', true],
    [429, 'r=0', true],
  ]);
  const refused = await server.check(ORDER);
  expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
  expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=(59|60)$/);
  expect(refused.headers.get('retry-after')).toMatch(/^(59|60)$/);
  expect(await refused.text()).toContain('ops@example.com');
});

test('a refusal for a whole network states that, and the headers contain the nearest limit', async () => {
  await using server = startServer({
    settings: {
      ...{ rate_limit: 2, rate_limit_network: 3, contact: 'ops@example.com' },
      trusted_proxy: [{ network: { family: 4, value: 0x7f000001n }, bits: 32 }],
    },
  });
  const ask = async (client: string) => await server.check(ORDER, { 'X-Forwarded-For': client });
  const [first, other, last, refused] = [
    await ask('2001:db8:1:1::1'),
    await ask('2001:db8:1:2::1'),
    await ask('2001:db8:1:3::1'),
    await ask('2001:db8:1:4::1'),
  ];
  expect([first, other, last, refused].map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect([first, other, last, refused].map(({ headers }) => headers.get('ratelimit')?.slice(0, 13))).toEqual([
    '"default";r=1',
    // Both leave one; the client's own comes free later.
    '"default";r=1',
    '"network";r=0',
    '"network";r=0',
  ]);
  expect(refused.headers.get('ratelimit-policy')).toBe('"network";q=3;w=60');
  expect(refused.headers.get('retry-after')).toMatch(/^(59|60)$/);
  expect(await refused.json()).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringMatching(/^At most 3 checks a minute are admitted from one network .*ops@example.com\.$/),
  });
});

test('without a limit no quota is announced, and at the ceiling of all clients the answer is 503', async () => {
  await using server = startServer({ settings: { rate_limit: 0, rate_limit_total: 2 } });
  const answers = [await server.check(ORDER), await server.check(ORDER), await server.check(ORDER)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
  expect(answers.map(({ headers }) => headers.has('ratelimit'))).toEqual([false, false, false]);
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(58);
});

test('a configured host is required except for health checks, and pages of that host may post', async () => {
  await using server = startServer({ settings: { host: ['check.example'] } });
  const statusOf = async (method: string, path: string, headers: Record<string, string>) => {
    const body = method === 'POST' ? JSON.stringify(ORDER) : undefined;
    const json = { 'Content-Type': 'application/json' };
    return (await rawExchange(server.port, requestBytes(server.port, method, path, { ...json, ...headers }, body)))
      .status;
  };
  for (const path of ['/', '/swagger', '/swagger/json', '/api/history', '/api/stats', '/nothing']) {
    expect([path, await statusOf('GET', path, { Host: 'evil.example' })]).toEqual([path, 421]);
  }
  expect(await statusOf('GET', '/livez', { Host: 'evil.example' })).toBe(200);
  expect(await statusOf('GET', '/readyz', { Host: '10.0.0.1:8080' })).toBe(200);
  expect(await statusOf('GET', '/api/history', { Host: 'CHECK.example:8443' })).toBe(200);
  expect(await statusOf('GET', '/api/history', { Host: 'check.example.evil.example' })).toBe(421);
  const check = '/api/check-url';
  expect(await statusOf('POST', check, { Host: 'check.example', Origin: 'https://check.example' })).toBe(200);
  expect(await statusOf('POST', check, { Host: 'check.example', Origin: 'https://check.example:444' })).toBe(200);
  expect(await statusOf('POST', check, { Host: 'check.example', Origin: 'https://evil.example' })).toBe(403);
});

test('an origin is accepted if it has the host and port of the service, with the default port of its scheme', async () => {
  await using server = startServer();
  const own = `127.0.0.1:${server.port}`;
  const statusOf = async (headers: Record<string, string>) => {
    const all = { 'Content-Type': 'application/json', ...headers };
    const bytes = requestBytes(server.port, 'POST', '/api/check-url', all, JSON.stringify(ORDER));
    return (await rawExchange(server.port, bytes)).status;
  };
  expect(await statusOf({ Origin: `https://${own}` })).toBe(200);
  expect(await statusOf({ Origin: 'http://127.0.0.1:1' })).toBe(403);
  expect(await statusOf({ Host: 'box', Origin: 'https://box' })).toBe(200);
  expect(await statusOf({ Host: 'box:443', Origin: 'https://box' })).toBe(200);
  expect(await statusOf({ Host: 'box:8443', Origin: 'https://box' })).toBe(403);
  expect(await statusOf({ Origin: 'chrome-extension://abcdef' })).toBe(403);
});

test('an unsupported method gets 405 with the allowed methods, and OPTIONS lists them', async () => {
  await using server = startServer();
  const paths = { '/api/check-url': 'POST, OPTIONS', '/api/history': 'GET, HEAD, OPTIONS', '/': 'GET, HEAD, OPTIONS' };
  for (const [path, allow] of Object.entries(paths)) {
    for (const method of ['DELETE', 'PUT', 'PATCH', allow.startsWith('POST') ? 'GET' : 'POST']) {
      const response = await fetch(`${server.url}${path}?query`, { method });
      expect([path, method, response.status, response.headers.get('allow')]).toEqual([path, method, 405, allow]);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
    }
    const options = await fetch(`${server.url}${path}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([204, allow, '']);
  }
  expect((await fetch(`${server.url}/api/check-url/`)).status).toBe(404);
});

test('HEAD has the headers of GET and no body', async () => {
  await using server = startServer();
  for (const path of ['/', '/livez', '/api/history', '/swagger', '/swagger/json']) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(`${server.url}${path}`, { method, headers: { 'Accept-Encoding': 'identity' } }),
      ),
    );
    const namesOf = (response: Response | undefined) =>
      [...(response?.headers.keys() ?? [])].filter((name) => name !== 'date' && name !== 'content-length');
    expect([path, head?.status, await head?.text()]).toEqual([path, 200, '']);
    expect(namesOf(head)).toEqual(namesOf(get));
  }
});

test('every response has an id and the security headers, and none allows another origin', async () => {
  await using server = startServer({ check: () => Promise.reject(new Error('fault')) });
  const responses = [
    await fetch(`${server.url}/`),
    await fetch(`${server.url}/api/history`),
    await fetch(`${server.url}/nothing`),
    await fetch(`${server.url}/`, { method: 'DELETE' }),
    await fetch(`${server.url}/`, { method: 'OPTIONS' }),
    await server.check('{'),
    await server.check(ORDER),
    await server.check(ORDER, { 'Content-Type': 'text/plain' }),
    await server.check('x'.repeat(40_000)),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 405, 204, 400, 500, 415, 413]);
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(responses.length);
  for (const { headers } of responses) {
    expect(headers.get('x-request-id')).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('permissions-policy')).toMatch(/^camera=\((?:self)?\), geolocation=\(\), /);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toMatch(/^no-(store|cache)$/);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  // The document of the page alone may use the camera, for QR codes.
  const mayUse = responses.map(({ headers }) => headers.get('permissions-policy')?.startsWith('camera=(self), '));
  expect(mayUse).toEqual([true, ...responses.slice(1).map(() => false)]);
});

test('after a refusal with an unread body the connection serves the next request', async () => {
  await using server = startServer();
  for (const [headers, body, status] of [
    [{ 'Content-Type': 'text/plain' }, '{"url":"http://example.com/"}', 415],
    [{ 'Content-Type': 'application/json' }, ' '.repeat(40_000), 413],
  ] as const) {
    const refused = requestBytes(server.port, 'POST', '/api/check-url', { ...headers, Connection: 'keep-alive' }, body);
    const next = requestBytes(server.port, 'GET', '/livez', {}, undefined);
    const both = await rawExchange(server.port, Buffer.concat([refused, next]), { responses: 2 });
    expect(both.received).toStartWith(`HTTP/1.1 ${status} `);
    expect([both.status, both.body]).toEqual([200, '{"status":"live"}']);
  }
});

test('a chunked body is read up to the limit, and not a byte further', async () => {
  await using server = startServer();
  const inChunks = (body: string) =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < body.length; at += 1000) controller.enqueue(Buffer.from(body.slice(at, at + 1000)));
          controller.close();
        },
      }),
    ).body;
  const send = (body: string) =>
    fetch(`${server.url}/api/check-url`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: inChunks(body),
    });
  const json = JSON.stringify(ORDER);
  expect((await send(json.padEnd(32 * 1024))).status).toBe(200);
  expect((await send(json.padEnd(32 * 1024 + 1))).status).toBe(413);
});

test('a service that cannot accept checks reports that at /readyz, and stays live', async () => {
  const PARTS: ServicePart[] = [{ name: 'public_log', state: 'failed', detail: 'The log cannot be kept.' }];
  let problem: Readiness['problem'] = { code: 'log_unavailable', detail: 'The log cannot be kept.' };
  await using server = startServer({
    readiness: () => Promise.resolve({ problem, notices: ['One check is missing.'], conditions: [], parts: PARTS }),
  });
  const unready = await fetch(`${server.url}/readyz`);
  expect([unready.status, unready.headers.has('retry-after')]).toEqual([503, true]);
  expect(await unready.text()).toContain('The log cannot be kept.');
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  const told = await fetch(`${server.url}/readyz?verbose`);
  expect(told.status).toBe(503);
  expect(await told.json()).toMatchObject({ code: 'log_unavailable', detail: problem.detail, parts: PARTS });
  problem = null;
  const ready = await fetch(`${server.url}/readyz`);
  const said = { status: 'ready', notices: ['One check is missing.'] };
  expect([ready.status, await ready.json()]).toEqual([200, said]);
  for (const query of ['verbose', 'verbose=', 'verbose=true', 'a=b&verbose&verbose']) {
    expect(await (await fetch(`${server.url}/readyz?${query}`)).json()).toEqual({
      ...said,
      conditions: [],
      parts: PARTS,
    });
  }
});

test('all routes exist below a base path, with or without a stripping proxy, and the page has its final slash', async () => {
  await using server = startServer({ settings: { base_path: '/phish' } });
  const page = await fetch(`${server.url}/phish`, { redirect: 'manual' });
  expect([page.status, page.headers.get('location')]).toEqual([308, '/phish/']);
  for (const path of ['/swagger', '/phish/swagger']) {
    const documentation = await fetch(`${server.url}${path}/`);
    expect([documentation.status, new URL(documentation.url).pathname]).toEqual([200, path]);
  }
  for (const path of ['/', '/livez', '/api/history', '/swagger', '/swagger/start.js']) {
    expect([path, (await fetch(`${server.url}/phish${path}`)).status]).toEqual([path, 200]);
    expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
    expect([path, (await fetch(`${server.url}/other${path}`)).status]).toEqual([path, 404]);
  }
});

test('a client has one limit, inside and outside the base path', async () => {
  await using server = startServer({ settings: { base_path: '/phish', rate_limit: 2 } });
  const statuses = [];
  for (const prefix of ['', '/phish', '', '/phish']) {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(ORDER);
    statuses.push((await fetch(`${server.url}${prefix}/api/check-url`, { method: 'POST', headers, body })).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
});

test('a client that disconnects in the middle of its body is not logged as a fault', async () => {
  await using server = startServer();
  for (const rest of ['Content-Length: 1000\r\n\r\n{', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"url']) {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port: server.port, socket: { data() {} } });
    socket.write(`POST /api/check-url HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${rest}`);
    while (server.pendingRequests() === 0) await Bun.sleep(1);
    socket.terminate();
    while (server.pendingRequests() > 0) await Bun.sleep(1);
  }
  expect(server.log).toEqual([]);
  expect(server.requests).toEqual([]);
});
