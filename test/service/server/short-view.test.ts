import { expect, test } from 'bun:test';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { ShortResultSchema, shortResult } from '#src/checks/record/short-result.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { sampleCheck } from '#test/support/sample-record.ts';
import { startServer } from './running-server.ts';

const URL_SENT = 'https://example.com/some/path?q=1';

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

test('view=short returns the short form for single checks, batches, NDJSON lines and events', async () => {
  await using server = startServer({ settings: { rate_limit: 20 } });
  const one = await post(`${server.url}/api/check-url?view=short`, { url: URL_SENT });
  expect([one.status, one.headers.get('content-type'), one.headers.has('ratelimit')]).toEqual([
    200,
    expect.stringContaining('application/json'),
    true,
  ]);
  const short = parseAs(ShortResultSchema, await one.json());
  expect(Object.keys(short)).toEqual([
    ...['request_id', 'url', 'malicious_probability', 'decision', 'coverage', 'caution', 'reasons'],
  ]);
  expect(short.url).toBe(URL_SENT);

  const batch = { urls: [URL_SENT, 'ftp://example.com/'] };
  const { items } = (await (await post(`${server.url}/api/check-urls?view=short`, batch)).json()) as {
    items: object[];
  };
  parseAs(ShortResultSchema, items[0]);
  expect(items[1]).toMatchObject({ url: 'ftp://example.com/', problem: { code: 'unsupported_scheme' } });
  const lines = await post(`${server.url}/api/check-urls?view=short`, batch, { accept: 'application/x-ndjson' });
  const written = (await lines.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  parseAs(
    ShortResultSchema,
    written.find((item) => !('problem' in item)),
  );

  for (const [path, accept] of [
    ['/api/check-url/stream', 'application/json'],
    ['/api/check-url', 'text/event-stream'],
  ] as const) {
    const events = await (await post(`${server.url}${path}?view=short`, { url: URL_SENT }, { accept })).text();
    parseAs(ShortResultSchema, JSON.parse(/event: result\ndata: (.*)/.exec(events)?.[1] ?? ''));
  }
  parseAs(CheckResultSchema, await (await post(`${server.url}/api/check-url`, { url: URL_SENT })).json());
});

test('another view is refused, and no check starts', async () => {
  await using server = startServer();
  for (const query of ['view=long', 'view=', 'view=short&view=short', 'View=short']) {
    for (const [path, body] of [
      ['check-url', { url: URL_SENT }],
      ['check-urls', { urls: [URL_SENT] }],
    ] as const) {
      const refused = await post(`${server.url}/api/${path}?${query}`, body);
      expect([query, refused.status, await refused.json()]).toEqual([
        query,
        400,
        expect.objectContaining({ code: 'invalid_parameter' }),
      ]);
    }
  }
  expect(server.requests).toEqual([]);
});

test('the short form contains the strongest reasons that fit into 300 bytes, without the URL', () => {
  const reason = (code: string, weight: number) => ({ component: 'url', code, message: '', args: {}, weight }) as const;
  const shortOf = (...reasons: ReturnType<typeof reason>[]) => {
    const details = { reasons, coverage: 'url_only', caution: false } as const;
    const result = { malicious_probability: 0.012345678901234567, decision: 'allow' } as const;
    const url = `https://bücher.example/"${'é'.repeat(2000)}`;
    const short = shortResult(sampleCheck({ url, result, details }).result);
    expect(Buffer.byteLength(JSON.stringify(short)) - Buffer.byteLength(JSON.stringify(url))).toBeLessThanOrEqual(300);
    return short.reasons;
  };
  expect(shortOf(reason('a.b', -3.146), reason('c.d', 2), reason('e.f', 1), reason('g.h', 0.5))).toEqual([
    { code: 'a.b', weight: -3.15 },
    { code: 'c.d', weight: 2 },
    { code: 'e.f', weight: 1 },
  ]);
  expect(shortOf(reason('a.b', 1), reason(`c.${'d'.repeat(300)}`, 1), reason('e.f', 1))).toEqual([
    { code: 'a.b', weight: 1 },
  ]);
  expect(shortOf()).toEqual([]);
});
