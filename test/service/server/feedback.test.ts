import { describe, expect, test } from 'bun:test';
import { startServer } from './running-server.ts';

const ID = '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b';

function give(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/api/feedback`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

test.each([
  { request_id: ID, verdict: 'malicious' },
  { request_id: 'no id at all', verdict: 'malicious' },
  { url: 'no url', verdict: 'benign' },
  { url: `https://example.com/${'a'.repeat(20_000)}`, verdict: 'benign' },
  { request_id: '', url: '', verdict: 'benign', comment: 'x'.repeat(500) },
  { request_id: ID, url: 'https://example.com/', verdict: 'benign', comment: '\u0000\u202e' },
])('any content, %#, gets the same response, and is passed on with its client', async (body) => {
  await using server = startServer();
  const response = await give(server.url, body);
  expect([response.status, await response.text()]).toEqual([202, '{"received":true}']);
  expect(server.feedback).toEqual([{ ...body, client: '127.0.0.1' } as (typeof server.feedback)[number]]);
});

test.each([
  [{ verdict: 'malicious' }, 'invalid_body', 'request_id is required, or url in its place.'],
  [{ request_id: 7, verdict: 'malicious' }, 'invalid_body', 'request_id must be a string.'],
  [{ url: null, verdict: 'malicious' }, 'invalid_body', 'url must be a string.'],
  [{ url: 'x' }, 'invalid_body', 'verdict is required.'],
  [{ url: 'x', verdict: 'evil' }, 'invalid_body', 'verdict must be one of malicious, benign.'],
  [{ url: 'x', verdict: 'benign', comment: 1 }, 'invalid_body', 'comment must be a string.'],
  [
    { url: 'x', verdict: 'benign', comment: 'x'.repeat(501) },
    'invalid_body',
    'comment must be at most 500 characters long, this one has 501.',
  ],
  [{ url: 'x', verdict: 'benign', private: true }, 'unknown_member', 'private is not a member of this request.'],
  ['{', 'invalid_json', 'The body is not JSON.'],
])('a body of another shape is refused: %j', async (body, code, detail) => {
  await using server = startServer();
  const response = await give(server.url, body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code, detail });
  expect(server.feedback).toEqual([]);
});

describe('the limit of feedback', () => {
  test('is separate from the limit of checks', async () => {
    await using server = startServer({ settings: { feedback_limit: 2, rate_limit: 1 } });
    const said = { url: 'https://example.com/', verdict: 'malicious' };
    const answers = [];
    for (let tries = 0; tries < 3; tries++) answers.push(await give(server.url, said));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"default";q=2;w=60');
    expect(await answers[2]?.json()).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('At most 2 pieces of feedback a minute are admitted.'),
    });
    const check = await fetch(`${server.url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"url":"https://example.com/"}',
    });
    expect(check.status).toBe(200);
    expect(server.feedback).toHaveLength(2);
  });

  test('is that of the key for a request with a feedback key', async () => {
    const key = {
      name: 'desk',
      secret_sha256: '',
      scopes: ['feedback' as const],
      limit: 1,
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: null,
    };
    await using server = startServer({
      settings: { feedback_limit: 1 },
      keys: {
        find: (secret) =>
          secret === 'lck_desk' ? key : secret === 'lck_check' ? { ...key, name: 'gate', scopes: ['check'] } : null,
      },
    });
    const said = { url: 'https://example.com/', verdict: 'malicious' };
    const status = async (secret?: string) =>
      (await give(server.url, said, secret === undefined ? {} : { authorization: `Bearer ${secret}` })).status;
    expect([await status(), await status()]).toEqual([202, 429]);
    expect([await status('lck_desk'), await status('lck_desk')]).toEqual([202, 429]);
    // A guess counts for the address, which has no place left.
    expect([await status('lck_check'), await status('lck_none')]).toEqual([403, 429]);
    expect(server.feedback.map(({ client }) => client)).toEqual(['127.0.0.1', 'key desk']);
  });
});

test('a page of another site cannot give feedback', async () => {
  await using server = startServer();
  const said = { url: 'https://example.com/', verdict: 'malicious' };
  const response = await give(server.url, said, { 'sec-fetch-site': 'cross-site' });
  expect([response.status, server.feedback]).toEqual([403, []]);
});
