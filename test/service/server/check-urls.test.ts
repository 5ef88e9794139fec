import { describe, expect, test } from 'bun:test';
import type { Scope } from '#src/admin/keys/api-key.ts';
import type { CheckService } from '#src/checks/check/check.ts';
import { CheckResultSchema } from '#src/checks/record/check-result.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { type BatchAnswer, BatchAnswerSchema, type BatchItem } from '#src/service/server/check/batch-answer.ts';
import { parseAs } from '#test/support/parse-as.ts';
import { rawExchange, requestBytes } from '#test/support/raw-exchange.ts';
import { until } from '#test/support/until.ts';
import { resultOf, startServer } from './running-server.ts';

type Server = ReturnType<typeof startServer>;

const PATH = '/api/check-urls';

async function post({ url }: Server, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${url}${PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const answerOf = async (response: Response): Promise<BatchAnswer> => parseAs(BatchAnswerSchema, await response.json());

async function itemsOf(server: Server, urls: readonly unknown[], rest: object = {}): Promise<BatchItem[]> {
  const response = await post(server, { urls, ...rest });
  expect(response.status).toBe(200);
  return (await answerOf(response)).items;
}

/** What came of an item, in a word. */
function outcome(item: BatchItem): string {
  return 'problem' in item ? item.problem.code : item.decision;
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `https://host${n}.example/`);

const keyFor = (scopes: Scope[], limit: number | null = null) => ({
  find: () => ({ name: 'gateway', secret_sha256: '', scopes, limit, created_at: '', expires_at: null }),
});

const BEARING = { authorization: 'Bearer lck_any' };

describe('a batch of URLs', () => {
  test('returns items in the order of the URLs, each like the result of a single check', async () => {
    // The later a check was begun, the sooner it ends.
    const ends: (() => void)[] = [];
    await using server = startServer({
      settings: { client_concurrency: 4 },
      check: async (request) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        if (ends.length === 4) for (const end of ends.toReversed()) end();
        await promise;
        return resultOf(request);
      },
    });
    const urls = numbered(4);
    const items = await itemsOf(server, urls);
    expect(items.map(({ url }) => url)).toEqual(urls);
    const [one] = items;
    expect(Object.keys(one ?? {})).toEqual(Object.keys(await answeredAlone(urls[0] ?? '')));
    expect(new Set(items.map((item) => 'request_id' in item && item.request_id)).size).toBe(4);
  });

  test('checks its valid URLs whatever is wrong with the others', async () => {
    await using server = startServer({
      check: (request) => {
        if (request.target.url.includes('full')) throw new UnavailableError('overloaded', 'Full.', 7);
        if (request.target.url.includes('fault')) throw new Error('broken in here');
        return Promise.resolve(resultOf(request));
      },
    });
    const long = `https://long.example/${'a'.repeat(8192)}`;
    const urls = [
      'https://fine.example/',
      'ftp://example.com/',
      5,
      null,
      { url: 'https://object.example/', visit: false },
      { url: 'https://object.example/', visit: 'no' },
      { url: 'https://object.example/', privateMode: true },
      { visit: true },
      long,
      'https://full.example/',
      'https://fault.example/',
      ['https://list.example/'],
      'not a url',
    ];
    const items = await itemsOf(server, urls);
    expect(items.map(outcome)).toEqual([
      'allow',
      'unsupported_scheme',
      'invalid_body',
      'invalid_body',
      'allow',
      'invalid_body',
      'unknown_member',
      'invalid_body',
      'url_too_long',
      'overloaded',
      'internal',
      'invalid_body',
      'invalid_url',
    ]);
    expect(items[8]?.url).toBe(long);
    expect(items[2]).toMatchObject({ url: null, problem: { status: 400, errors: [{ field: 'url' }] } });
    expect(items[9]).toMatchObject({ problem: { status: 503, retry_after_seconds: 7 } });
    expect(JSON.stringify(items[10])).not.toContain('broken in here');
    expect(server.requests.map(({ target, visit }) => [target.host.text, visit])).toEqual([
      ['fine.example', true],
      ['full.example', true],
      ['fault.example', true],
      ['object.example', false],
    ]);
  });

  test('checks a repeated URL once, and returns the result at each of its positions', async () => {
    await using server = startServer({ settings: { rate_limit: 3 } });
    const [one, other] = ['https://one.example/', 'https://other.example/'];
    const items = await itemsOf(server, [one, other, one, { url: one }, { url: one, visit: false }, one]);
    expect(server.requests.map(({ target }) => target.input)).toEqual([one, other, one]);
    expect(items.map(({ url }) => url)).toEqual([one, other, one, one, one, one]);
    const ids = items.map((item) => ('request_id' in item ? item.request_id : item.problem.request_id));
    expect([ids[0], ids[2], ids[3], ids[5]]).toEqual(Array.from({ length: 4 }, () => ids[0] ?? ''));
    expect(new Set(ids).size).toBe(3);
  });

  test('checks all of its URLs privately with private_mode', async () => {
    await using server = startServer();
    await itemsOf(server, ['https://a.example/', 'ftp://b.example/', 'https://c.example/'], { private_mode: true });
    expect(server.requests.map(({ visibility }) => visibility)).toEqual(['private', 'private']);
  });

  test('logs nothing of the URL of a private check that fails', async () => {
    await using server = startServer({ check: ({ target }) => Promise.reject(new Error(`at ${target.url}`)) });
    await itemsOf(server, ['https://hidden.example/'], { private_mode: true });
    expect(server.log.join('')).toContain('server.fault');
    expect(server.log.join('')).not.toContain('hidden');
  });

  test('runs at most client_concurrency checks at a time', async () => {
    let underWay = 0;
    let most = 0;
    await using server = startServer({
      settings: { client_concurrency: 3 },
      check: async (request) => {
        most = Math.max(most, ++underWay);
        await new Promise(setImmediate);
        underWay--;
        return resultOf(request);
      },
    });
    expect(await itemsOf(server, numbered(20))).toHaveLength(20);
    expect(most).toBe(3);
  });

  test('does not count checks that look nothing up: they go on some at a time, without waiting for each other', async () => {
    const ends: (() => void)[] = [];
    const check: CheckService['check'] = async (request) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (ends.push(resolve) % 20 === 0) for (const end of ends) end();
      await promise;
      return resultOf(request);
    };
    await using offline = startServer({ settings: { client_concurrency: 1, network: 'none' }, check });
    expect(await itemsOf(offline, numbered(20))).toHaveLength(20);
    await using online = startServer({ settings: { client_concurrency: 1 }, check });
    const unseen = numbered(20).map((url) => ({ url, visit: false }));
    expect(await itemsOf(online, unseen)).toHaveLength(20);
  });

  test('is sent as one line per item, as soon as its check ends, to a client that accepts NDJSON', async () => {
    const first = Promise.withResolvers<void>();
    await using server = startServer({
      check: async (request) => {
        if (request.target.url.includes('slow')) await first.promise;
        return resultOf(request);
      },
    });
    const urls = ['https://slow.example/', 'https://quick.example/', 'ftp://wrong.example/', 'https://quick.example/'];
    const response = await post(server, { urls }, { accept: 'application/x-ndjson' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines: string[] = [];
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.map((line) => JSON.parse(line).url));
      if (lines.length === 3) first.resolve();
    }
    expect(rest).toBe('');
    expect(lines.slice(0, 3).toSorted()).toEqual(urls.slice(1).toSorted());
    expect(lines.slice(3)).toEqual(['https://slow.example/']);
  });

  test.each([
    [{}, 'urls'],
    [{ urls: [] }, 'urls'],
    [{ urls: 'https://example.com/' }, 'urls'],
    [{ urls: { 0: 'https://example.com/' } }, 'urls'],
    [{ urls: Array.from({ length: 101 }, () => 'https://example.com/') }, 'urls'],
    [{ urls: ['https://example.com/'], private_mode: 'true' }, 'private_mode'],
    [{ urls: ['https://example.com/'], visit: false }, 'visit'],
  ])('is refused as a whole if it is invalid: %#', async (body, field) => {
    await using server = startServer();
    const response = await post(server, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ field }] });
    expect(server.requests).toEqual([]);
  });

  test('may contain 100 URLs of the maximum length, and at most 896 KiB', async () => {
    await using server = startServer();
    const long = (n: number) => `https://${n}.example/`.padEnd(8192, 'a');
    expect(
      (
        await itemsOf(
          server,
          Array.from({ length: 100 }, (_, n) => long(n)),
        )
      ).map(outcome),
    ).toEqual(Array.from({ length: 100 }, () => 'allow'));
    const response = await post(server, ' '.repeat(896 * 1024 + 1));
    expect(response.status).toBe(413);
  });
});

describe('the limit of a batch', () => {
  test('counts each URL, and returns a retry time for those that it refuses', async () => {
    await using server = startServer({ settings: { rate_limit: 3, contact: 'ops@example.com' } });
    const response = await post(server, { urls: [...numbered(2), 'ftp://wrong.example/', ...numbered(4).slice(2)] });
    const { items } = await answerOf(response);
    expect(items.map(outcome)).toEqual(['allow', 'allow', 'unsupported_scheme', 'rate_limited', 'rate_limited']);
    expect(response.headers.get('ratelimit')).toMatch(/^"default";r=0;t=(59|60)$/);
    const last = items.at(-1);
    if (!last || !('problem' in last)) throw new Error('admitted');
    expect(last.problem.status).toBe(429);
    expect(last.problem.retry_after_seconds).toBeGreaterThan(57);
    expect(last.problem.detail).toContain('ops@example.com');
    expect(server.requests).toHaveLength(2);
    const again = await post(server, { urls: numbered(1) });
    expect([again.status, again.headers.has('retry-after')]).toEqual([429, true]);
    expect((await server.check({ url: 'https://example.com/' })).status).toBe(429);
  });

  test('is that of its key', async () => {
    await using server = startServer({ settings: { rate_limit: 2 }, keys: keyFor(['batch'], 30) });
    const first = await post(server, { urls: numbered(25) }, BEARING);
    expect((await answerOf(first)).items.map(outcome)).not.toContain('rate_limited');
    expect(first.headers.get('ratelimit')).toStartWith('"default";r=5;');
    const second = await post(server, { urls: numbered(7) }, BEARING);
    expect((await answerOf(second)).items.map(outcome)).toEqual([
      ...Array.from({ length: 5 }, () => 'allow'),
      'rate_limited',
      'rate_limited',
    ]);
    expect(server.requests.every(({ client }) => client === 'key gateway')).toBe(true);
  });

  test('a check key is refused for a batch, and a batch key for a single check', async () => {
    await using single = startServer({ keys: keyFor(['check']) });
    const refused = await post(single, { urls: numbered(2) }, BEARING);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'forbidden_scope']);
    await using many = startServer({ keys: keyFor(['batch']) });
    expect((await many.check({ url: 'https://example.com/' }, BEARING)).status).toBe(403);
    expect([...single.requests, ...many.requests]).toEqual([]);
  });
});

test('a client over the limit gets 429; otherwise 403, 421, 415, 413 and 400 take precedence in this order', async () => {
  await using server = startServer({ settings: { rate_limit: 5, host: ['check.example'] } });
  const [foreign, other, text] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { Host: 'other.example' },
    { 'Content-Type': 'text/plain' },
  ];
  const own = { Host: 'check.example', 'Content-Type': 'application/json' };
  const statusOf = async (headers: Record<string, string>, body: string) =>
    (await rawExchange(server.port, requestBytes(server.port, 'POST', PATH, headers, body))).status;
  const long = ' '.repeat(900 * 1024);
  expect(await statusOf({ ...own, ...text, ...other, ...foreign }, long)).toBe(403);
  expect(await statusOf({ ...own, ...text, ...other }, long)).toBe(421);
  expect(await statusOf({ ...own, ...text }, long)).toBe(415);
  expect(await statusOf(own, long)).toBe(413);
  expect(await statusOf(own, '{')).toBe(400);
  expect(await statusOf({ ...own, ...text, ...other, ...foreign }, long)).toBe(429);
});

test('a batch starts no further check after its client disconnects', async () => {
  const gone = new AbortController();
  await using server = startServer({
    settings: { client_concurrency: 2 },
    check: async (request) => {
      gone.abort();
      await until(() => request.left?.aborted === true);
      return resultOf(request);
    },
  });
  const asked = fetch(`${server.url}${PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ urls: numbered(50) }),
    signal: gone.signal,
  });
  await asked.catch(() => {});
  await until(() => server.pendingRequests() === 0);
  expect(server.requests.length).toBeLessThanOrEqual(2);
});

test('during shutdown, a batch returns the checks in progress, and a problem for the rest', async () => {
  const stopping = new AbortController();
  await using server = startServer({
    settings: { client_concurrency: 2 },
    stopping: stopping.signal,
    check: (request) => {
      stopping.abort();
      return Promise.resolve(resultOf(request));
    },
  });
  const items = await itemsOf(server, numbered(5));
  expect(items.map(outcome)).toContain('allow');
  expect(items.slice(2).map(outcome)).toEqual(['stopping', 'stopping', 'stopping']);
});

async function answeredAlone(url: string): Promise<object> {
  await using server = startServer();
  return parseAs(CheckResultSchema, await (await server.check({ url })).json());
}
