import { afterAll, describe, expect, test } from 'bun:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ApiKey, Scope } from '#src/admin/keys/api-key.ts';
import { parseUnmappedCidr } from '#src/core/base/addresses/ip.ts';
import type { Feed } from '#src/parts/feeds/feed/feed.ts';
import { startServer } from '#test/service/server/running-server.ts';

const TEXT = 'evil.example\n*.evil.example\n'.repeat(20_000);
const CHANGED = Date.UTC(2026, 0, 31, 12);
const FEED: Feed = {
  sha256: 'ab'.repeat(32),
  changedMs: CHANGED,
  text: new Uint8Array(Buffer.from(TEXT)),
  packed: new Uint8Array(gzipSync(TEXT)),
  lines: 40_000,
  leftOut: new Map([
    ['port', 2],
    ['within', 1],
  ]),
};
const TAG = `"abababababababab-${(CHANGED / 1000).toString(16)}"`;
const PACKED_TAG = TAG.replace(/"$/, '-gzip"');

const KEYS: Readonly<Record<string, readonly Scope[]>> = { lck_feed: ['feed'], lck_stats: ['stats'] };

function find(secret: string): ApiKey | null {
  const scopes = KEYS[secret];
  if (scopes === undefined) return null;
  return { name: secret, secret_sha256: '', scopes: [...scopes], limit: null, created_at: '', expires_at: null };
}

function blockOf(text: string) {
  const block = parseUnmappedCidr(text);
  if (typeof block === 'string') throw new Error(block);
  return block;
}

/** A server with one feed, and what it counts. */
function startWithFeed(options: Parameters<typeof startServer>[0] = {}, feed: Feed | null = FEED) {
  const pulls: [string, number, string | null][] = [];
  const server = startServer({
    keys: { find },
    feeds: {
      isOn: () => true,
      pull: () => Promise.resolve(feed),
      onPulled: (...pull) => pulls.push(pull),
    },
    ...options,
  });
  const pull = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}/feeds/${path}`, {
      method,
      headers: { authorization: 'Bearer lck_feed', 'accept-encoding': 'identity', ...headers },
      decompress: false,
    });
  return { ...server, pulls, pull, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const shared = startWithFeed();
afterAll(() => shared[Symbol.asyncDispose]());
const { pull } = shared;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('a pull', () => {
  test('returns the text, with headers for its entries and for those left out', async () => {
    const response = await pull('domains');
    expect(await response.text()).toBe(TEXT);
    const { headers } = response;
    expect([response.status, headers.get('etag'), headers.get('last-modified')]).toEqual([
      ...[200, TAG, 'Sat, 31 Jan 2026 12:00:00 GMT'],
    ]);
    expect(headers.get('cache-control')).toBe('private, max-age=0, must-revalidate');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(headers.get('vary')).toBe('Accept-Encoding, Authorization');
    expect([headers.get('x-lurecheck-entries'), headers.get('x-lurecheck-left-out')]).toEqual([
      '40000',
      'port=2, within=1',
    ]);
  });

  test('is compressed with gzip if the client accepts that', async () => {
    const response = await pull('domains', { 'accept-encoding': 'br, gzip' });
    expect(gunzipSync(await response.bytes()).toString()).toBe(TEXT);
    expect([response.headers.get('content-encoding'), response.headers.get('etag')]).toEqual(['gzip', PACKED_TAG]);
  });

  test('with HEAD returns the same headers and no body', async () => {
    const [head, get] = [await pull('rpz', {}, 'HEAD'), await pull('rpz')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const name of ['etag', 'last-modified', 'content-type', 'x-lurecheck-entries'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
  });

  test('accepts .txt, .conf and .json at the end of a name, and rejects other names', async () => {
    for (const path of ['rpz.txt', 'rpz.conf', 'rpz.json', 'addresses'])
      expect([path, (await pull(path, {}, 'HEAD')).status]).toEqual([path, 200]);
    for (const path of ['rpz.exe', 'nothing', 'toString'])
      expect([path, (await pull(path, {}, 'HEAD')).status]).toEqual([path, 404]);
    expect((await pull('stix.json', {}, 'HEAD')).headers.get('content-type')).toBe('application/stix+json;version=2.1');
  });

  test('reports no modification time in the future', async () => {
    await using server = startWithFeed({}, { ...FEED, changedMs: Date.now() + 1_000_000_000 });
    const modified = (await server.pull('rpz', {}, 'HEAD')).headers.get('last-modified') ?? '';
    expect(Date.parse(modified)).toBeLessThanOrEqual(Date.now());
  });

  test('is counted by feed, status and key', async () => {
    await using server = startWithFeed();
    await server.pull('rpz.txt', {}, 'HEAD');
    await server.pull('domains', { 'if-none-match': TAG });
    await server.pull('domains', { authorization: '' });
    expect(server.pulls).toEqual([
      ['rpz', 200, 'lck_feed'],
      ['domains', 304, 'lck_feed'],
    ]);
  });
});

describe('a conditional pull', () => {
  const SINCE = 'Sat, 31 Jan 2026 12:00:00 GMT';
  const BEFORE = 'Sat, 31 Jan 2026 11:59:59 GMT';

  test.each<[string, Record<string, string>, number]>([
    ['the tag', { 'if-none-match': TAG }, 304],
    ['the tag of the packed text', { 'if-none-match': PACKED_TAG }, 304],
    ['a weak form of it', { 'if-none-match': `W/${TAG}` }, 304],
    ['several tags', { 'if-none-match': `"other", ${TAG}` }, 304],
    ['a star', { 'if-none-match': '*' }, 304],
    ['another tag', { 'if-none-match': '"other"' }, 200],
    ['the time', { 'if-modified-since': SINCE }, 304],
    ['an earlier time', { 'if-modified-since': BEFORE }, 200],
    ['what is not a time', { 'if-modified-since': 'yesterday' }, 200],
    ['the tag, which decides, and an earlier time', { 'if-none-match': TAG, 'if-modified-since': BEFORE }, 304],
    ['another tag, which decides, and the time', { 'if-none-match': '"other"', 'if-modified-since': SINCE }, 200],
  ])('by %s', async (_, headers, status) => {
    const response = await pull('domains', headers);
    expect([response.status, response.headers.get('etag')]).toEqual([status, TAG]);
    const body = await response.text();
    expect(body === '').toBe(status === 304);
  });
});

describe('a key', () => {
  test.each<[string, string, number]>([
    ['as Bearer', 'Bearer lck_feed', 200],
    ['as the password of Basic', basic('firewall:lck_feed'), 200],
    ['behind an empty name', basic(':lck_feed'), 200],
    ['behind a name with a colon', basic('fire:wall:lck_feed'), 200],
    ['as the name, without a password', basic('lck_feed:'), 401],
    ['without a colon', basic('lck_feed'), 401],
    ['that is unknown', 'Bearer lck_nobody', 401],
    ['that is unknown, by Basic', basic('a:lck_nobody'), 401],
    ['that is not there', '', 401],
    ['in another scheme', 'Digest username="a"', 401],
    ['of another scope', 'Bearer lck_stats', 403],
    ['of another scope, by Basic', basic('a:lck_stats'), 403],
  ])('%s', async (_, authorization, status) => {
    const response = await pull('domains', { authorization }, 'HEAD');
    expect(response.status).toBe(status);
    const offered = response.headers.get('www-authenticate');
    expect(offered).toBe(status === 401 ? 'Basic realm="lurecheck", Bearer realm="lurecheck"' : null);
  });

  test('cannot be guessed: a wrong one counts toward the check limit of the client', async () => {
    await using server = startWithFeed({ settings: { rate_limit: 2 } });
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++)
      statuses.push((await server.pull('rpz', { authorization: basic('a:lck_x') })).status);
    // A right one counts for nothing.
    for (let time = 0; time < 3; time++) statuses.push((await server.pull('rpz', {}, 'HEAD')).status);
    expect(statuses).toEqual([401, 401, 429, 200, 200, 200]);
  });

  test('as the password of Basic is accepted for feeds only', async () => {
    const response = await fetch(`${shared.url}/metrics`, { headers: { authorization: basic('a:lck_feed') } });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="lurecheck"']);
  });
});

describe('a peer', () => {
  const anonymous = { authorization: '' };

  test('needs no key', async () => {
    await using server = startWithFeed({ feedPeers: () => [blockOf('127.0.0.0/8')] });
    expect((await server.pull('rpz', anonymous, 'HEAD')).status).toBe(200);
    expect((await server.pull('rpz', { authorization: 'Bearer lck_nobody' }, 'HEAD')).status).toBe(200);
    expect(server.pulls[0]).toEqual(['rpz', 200, null]);
  });

  test('is the client behind a trusted proxy, never the proxy', async () => {
    const settings = { trusted_proxy: [blockOf('127.0.0.1/32')] };
    const peers = ['127.0.0.0/8', '192.0.2.0/24'].map(blockOf);
    await using server = startWithFeed({ settings, feedPeers: () => peers });
    const statusOf = async (address: string) =>
      (await server.pull('rpz', { ...anonymous, 'x-forwarded-for': address }, 'HEAD')).status;
    expect([await statusOf('192.0.2.7'), await statusOf('198.51.100.7')]).toEqual([200, 401]);
  });

  test('in another network needs a key', async () => {
    await using server = startWithFeed({ feedPeers: () => [blockOf('192.0.2.0/24')] });
    expect((await server.pull('rpz', anonymous, 'HEAD')).status).toBe(401);
  });
});

test('an unreadable list results in 503 with Retry-After, never in an empty feed', async () => {
  await using server = startWithFeed({}, null);
  const response = await server.pull('domains');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await response.json()).toMatchObject({ code: 'feed_unavailable' });
  expect(server.pulls).toEqual([['domains', 503, 'lck_feed']]);
});

test('an empty feed returns 200 with an empty body', async () => {
  const empty = { ...FEED, text: new Uint8Array(), packed: new Uint8Array(gzipSync('')), lines: 0, leftOut: new Map() };
  await using server = startWithFeed({}, empty);
  const response = await server.pull('domains');
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('disabled feeds return 404 to every client', async () => {
  await using server = startServer({ feedPeers: () => [blockOf('127.0.0.0/8')] });
  const response = await fetch(`${server.url}/feeds/rpz`);
  expect([response.status, await response.json()]).toEqual([404, expect.objectContaining({ code: 'switched_off' })]);
});

test('a request with a foreign host name gets 421, as on other routes', async () => {
  expect((await pull('rpz', { host: 'rebound.example' })).status).toBe(421);
});
