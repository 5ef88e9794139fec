import { describe, expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import type { HistoryItem, HistoryPage } from '#src/checks/record/history-page.ts';
import { BadCursorError, type HistoryQuery, type WalkedPage } from '#src/checks/store/scan-log.ts';
import { parseInstant } from '#src/core/base/clock.ts';
import { createWalker, type PatientWalk } from '#src/service/server/history/history-routes.ts';
import { startServer } from './running-server.ts';

const DEFAULTS = {
  ...{ limit: 50, cursor: null, decision: null, domain: null, text: null, fromMs: null, untilMs: null },
  ...{ coverage: null, caution: null, modelVersion: null, via: null, list: null, entry: null, reason: null },
};

const ITEM: HistoryItem = {
  request_id: '019c13f7-9800-7a11-8b3c-5d9f1e2a4c6b',
  url: 'https://example.com/',
  malicious_probability: 0.02,
  decision: 'allow',
  coverage: 'url_only',
  caution: false,
  via: 'api',
  decided_by: { list: 'feed', entry: 'example.com', source: 'operator' },
  reasons: [{ code: 'lists.kept_blocked', weight: 9 }],
  model_version: 'test',
  timestamp: '2026-01-31T12:00:00.000Z',
};

const PAGE = { items: [ITEM], next_cursor: 'on' };

function startHistory(settings: { public_history?: boolean } = {}) {
  const queries: HistoryQuery[] = [];
  const server = startServer({
    settings,
    history(query) {
      queries.push(query);
      if (query.cursor === 'bad') return Promise.reject(new BadCursorError());
      return Promise.resolve({ items: [], next_cursor: 'next' });
    },
  });
  return { server, queries };
}

test('the query parameters are read', async () => {
  const { server, queries } = startHistory();
  await using _ = server;
  const ask = async (query: string) => {
    const response = await fetch(`${server.url}/api/history${query}`);
    expect([query, response.status]).toEqual([query, 200]);
    return queries.at(-1);
  };
  expect(await ask('')).toEqual(DEFAULTS);
  expect(await ask('?')).toEqual(DEFAULTS);
  expect(await ask('?limit=1')).toEqual({ ...DEFAULTS, limit: 1 });
  expect(await ask('?limit=500&decision=block&cursor=abc&domain=example.com&q=Log%20in')).toEqual({
    ...DEFAULTS,
    limit: 500,
    decision: 'block',
    cursor: 'abc',
    domain: 'example.com',
    text: 'Log in',
  });
  expect(await ask('?coverage=url_only&caution=true&model_version=2026.01')).toEqual({
    ...DEFAULTS,
    coverage: 'url_only',
    caution: true,
    modelVersion: '2026.01',
  });
  expect(await ask('?caution=false')).toEqual({ ...DEFAULTS, caution: false });
  expect(await ask('?from=2026-01-31&until=2026-01-31T13:00:00%2B01:00')).toEqual({
    ...DEFAULTS,
    fromMs: Date.UTC(2026, 0, 31),
    untilMs: Date.UTC(2026, 0, 31, 12),
  });
});

test('a bad value results in a 400 that names its field', async () => {
  const { server } = startHistory();
  await using _ = server;
  const bad = {
    limit: ['', '0', '501', '-1', '1.5', '1e2', '0x10', ' 5', '99999999999999999999'],
    decision: ['', 'BLOCK', 'allow,block', 'toString'],
    cursor: ['', 'bad'],
    domain: ['', '..', 'a b', 'http://example.com/'],
    q: ['x'.repeat(513)],
    coverage: ['', 'FULL', 'none'],
    caution: ['', '1', 'yes', 'True'],
    model_version: ['', 'x'.repeat(513)],
    from: ['', 'yesterday', '2024-02-30', '2026-01-31T12:00:00', '2026-13-01', '1738324800'],
    until: ['2026-01-31T24:00:00Z', '2026-01-31T12:00:00+25:00', '+012026-01-31T12:00:00Z'],
  };
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const response = await fetch(`${server.url}/api/history?${new URLSearchParams({ [field]: value })}`);
      expect([field, value, response.status]).toEqual([field, value, 400]);
      expect(await response.json()).toMatchObject({ errors: [{ field }] });
    }
    const twice = await fetch(`${server.url}/api/history?${field}=1&${field}=1`);
    expect(await twice.json()).toMatchObject({ status: 400, errors: [{ field, message: 'occurs twice' }] });
  }
});

test('an unknown query parameter is refused by name on API routes, and ignored on others', async () => {
  const { server } = startHistory();
  await using _ = server;
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${server.url}${path}`, init);
    const { code, errors } = (await response.json()) as { code?: string; errors?: { field: string }[] };
    return [response.status, code, errors?.map(({ field }) => field)];
  };
  const headers = { 'Content-Type': 'application/json' };
  const post = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });
  const refused = [400, 'invalid_parameter', ['x', 'Limit']];
  for (const path of ['/api/history', '/api/history/summary', '/api/stats', '/api/about']) {
    expect([path, await ask(`${path}?x&Limit=0&x=2`)]).toEqual([path, refused]);
    expect([path, await ask(`${path}?toString=1&__proto__=2`)]).toEqual([
      path,
      [400, 'invalid_parameter', ['toString', '__proto__']],
    ]);
  }
  for (const [path, body] of [
    ['/api/check-url', { url: 'https://example.com/' }],
    ['/api/check-url/stream', { url: 'https://example.com/' }],
    ['/api/check-urls', { urls: ['https://example.com/'] }],
    ['/api/feedback', { url: 'https://example.com/', verdict: 'benign' }],
    ['/api/verify-result', { link: 'x' }],
  ] as const) {
    expect([path, await ask(`${path}?x&Limit=0`, post(body))]).toEqual([path, refused]);
  }
  expect(await ask('/api/history?limit=3&offset=1')).toEqual([400, 'invalid_parameter', ['offset']]);
  for (const path of ['/?utm_source=mail', '/livez?x=1', '/help?x=1']) {
    expect([path, (await fetch(`${server.url}${path}`)).status]).toEqual([path, 200]);
  }
});

test('one response describes every bad parameter', async () => {
  const { server } = startHistory();
  await using _ = server;
  const response = await fetch(`${server.url}/api/history?limit=0&decision=BLOCK&until=soon`);
  expect(await response.json()).toMatchObject({
    detail:
      'limit must be a whole number from 1 to 500; decision must be one of allow, warn, block; ' +
      'until must be a time such as 2026-01-31T12:00:00Z.',
  });
});

test('names of lists are shown with a key alone, and so is the filter by list', async () => {
  const asked: HistoryQuery[] = [];
  const { key, secret } = makeKey({ name: 'soc', scopes: ['history'], limit: null, expires_at: null }, 0);
  await using server = startServer({
    keys: { find: (shown) => (shown === secret ? key : null) },
    history(query) {
      asked.push(query);
      return Promise.resolve({ items: [ITEM, { ...ITEM, decided_by: null }], next_cursor: null });
    },
  });
  const headers = { authorization: `Bearer ${secret}` };
  const ask = async (query: string, init: RequestInit = {}) => await fetch(`${server.url}/api/history?${query}`, init);
  const open = { list: null, entry: null, source: 'operator' };
  const decidedBy = async (response: Response) =>
    ((await response.json()) as HistoryPage).items.map(({ decided_by }) => decided_by);
  expect(await decidedBy(await ask(''))).toEqual([open, null]);
  expect(await decidedBy(await ask('list=feed&via=gate&reason=lists.kept_blocked', { headers }))).toEqual([
    ITEM.decided_by,
    null,
  ]);
  expect(asked.at(-1)).toMatchObject({ list: 'feed', via: 'gate', reason: 'lists.kept_blocked' });
  expect((await ask('list=feed')).status).toBe(401);
  expect((await ask('entry=evil.example')).status).toBe(401);
  expect((await fetch(`${server.url}/api/history/summary?list=feed`)).status).toBe(401);
  for (const query of ['via=phone', 'reason=No', 'list=']) expect((await ask(query, { headers })).status).toBe(400);
});

describe('a forward walk', () => {
  test('reads its start and its maximum wait from the query', async () => {
    const asked: PatientWalk[] = [];
    await using server = startServer({
      walk(walk) {
        asked.push(walk);
        return walk.query.after === 'bad' ? Promise.reject(new BadCursorError()) : Promise.resolve(PAGE);
      },
    });
    const ask = async (query: string) => await fetch(`${server.url}/api/history?${query}`);
    const shown = { ...ITEM, decided_by: { list: null, entry: null, source: 'operator' } };
    expect(await (await ask('after=')).json()).toEqual({ ...PAGE, items: [shown] });
    await ask('after=abc&limit=7&decision=block&wait=0');
    await ask('after=abc&wait=60');
    const { cursor: _, ...filter } = DEFAULTS;
    expect(asked.map(({ query, waitMs }) => [query, waitMs])).toEqual([
      [{ ...filter, after: '' }, 20_000],
      [{ ...filter, after: 'abc', limit: 7, decision: 'block' }, 0],
      [{ ...filter, after: 'abc' }, 60_000],
    ]);
    for (const [query, field] of [
      ['after=bad', 'after'],
      ['after=abc&cursor=abc', 'cursor'],
      ['after=a&after=b', 'after'],
      ...['-1', '61', '1.5', '', 'long'].map((wait) => [`after=&wait=${wait}`, 'wait']),
    ]) {
      const refused = await ask(query ?? '');
      expect([query, refused.status]).toEqual([query, 400]);
      expect(await refused.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ field }] });
    }
  });

  test('waits at the end until a check exists, the time is over, the client disconnects or the service stops', async () => {
    let pages: WalkedPage[] = [];
    let nowMs = 0;
    const [stopping, gone] = [new AbortController(), new AbortController()];
    const looks: string[] = [];
    const walker = createWalker({
      walk: ({ after }) => {
        looks.push(after);
        nowMs += 1000;
        return Promise.resolve(pages.shift() ?? { items: [], next: `${after}+`, isEnd: true });
      },
      stopping: stopping.signal,
      clock: { monotonicMs: () => nowMs },
    });
    const query = { ...DEFAULTS, after: '0' };
    const left = new AbortController().signal;
    pages = [
      { items: [], next: '1', isEnd: true },
      { items: [ITEM], next: '2', isEnd: true },
    ];
    expect(await walker({ query, waitMs: 5000, left })).toEqual({ items: [ITEM], next_cursor: '2' });
    pages = [{ items: [], next: '1', isEnd: false }];
    expect(await walker({ query, waitMs: 5000, left })).toEqual({ items: [], next_cursor: '1' });
    expect(looks).toEqual(['0', '1', '0']);
    expect(await walker({ query, waitMs: 0, left })).toEqual({ items: [], next_cursor: '0+' });
    gone.abort();
    expect(await walker({ query, waitMs: 60_000, left: gone.signal })).toEqual({ items: [], next_cursor: '0+' });
    stopping.abort();
    expect(await walker({ query, waitMs: 60_000, left })).toEqual({ items: [], next_cursor: '0+' });
  });
});

test('with a hidden history, history and statistics return 404 and nothing is read', async () => {
  const { server, queries } = startHistory({ public_history: false });
  await using _ = server;
  expect((await fetch(`${server.url}/api/history`)).status).toBe(404);
  expect((await fetch(`${server.url}/api/stats`)).status).toBe(404);
  expect(queries).toEqual([]);
});

test('every time that JavaScript formats is parsed, and an offset is subtracted', () => {
  for (const time of [0, 1, 951_782_400_000, 1_709_164_800_123, Date.UTC(2026, 11, 31, 23, 59, 59, 999), -1]) {
    const text = new Date(time).toISOString();
    expect(parseInstant(text)).toBe(time);
    expect(parseInstant(text.replace('Z', '+05:30'))).toBe(time - 5.5 * 3_600_000);
    expect(parseInstant(text.replace('Z', '-08:00'))).toBe(time + 8 * 3_600_000);
    expect(parseInstant(text.slice(0, 10))).toBe(Math.floor(time / 86_400_000) * 86_400_000);
  }
});

test('at most 50 requests wait at the end, and further ones are answered at once', async () => {
  let isOver = false;
  const walker = createWalker({
    walk: ({ after }) => Promise.resolve({ items: isOver ? [ITEM] : [], next: after, isEnd: true }),
    stopping: new AbortController().signal,
    clock: { monotonicMs: () => 0 },
  });
  let answered = 0;
  const ask = async () => {
    await walker({ query: { ...DEFAULTS, after: '0' }, waitMs: 1, left: new AbortController().signal });
    answered++;
  };
  const asked = Array.from({ length: 52 }, ask);
  for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  expect(answered).toBe(2);
  isOver = true;
  await Promise.all(asked);
  expect(answered).toBe(52);
});
