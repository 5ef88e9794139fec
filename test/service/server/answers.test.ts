import { expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import { UnavailableError } from '#src/core/base/errors/operation-error.ts';
import { startServer } from './running-server.ts';

type Server = ReturnType<typeof startServer>;

/** A request to each route, by its method and path: the body that it answers, if it takes one. */
const ROUTES: Readonly<Record<string, string | null>> = {
  'POST /api/check-url': '{"url":"http://example.com/"}',
  'POST /api/check-url/stream': '{"url":"http://example.com/"}',
  'POST /api/check-urls': '{"urls":["http://example.com/","ftp://example.com/"]}',
  'POST /api/check-message': '{"text":"Hello"}',
  'POST /api/verify-result': '{"link":"a.b"}',
  'POST /api/results/verify': '{"link":"a.b"}',
  'POST /api/results/sign': '{"link":"a.b","says":"a.example","goes_to":"b.example"}',
  'POST /api/feedback': '{"url":"http://example.com/","verdict":"malicious"}',
  'POST /share': 'url=http%3A%2F%2Fexample.com%2F',
  'GET /api/history': null,
  'GET /api/history/summary': null,
  'GET /api/history/private': null,
  'GET /api/screenshots/desk': null,
  'GET /api/stats': null,
  'POST /api/session': '',
  'GET /api/session': null,
  'DELETE /api/session': null,
  'GET /api/admin/keys': null,
  'POST /api/admin/keys': '{"name":"new","scopes":["check"]}',
  'PATCH /api/admin/keys/desk': '{"limit":5}',
  'DELETE /api/admin/keys/desk': null,
  'GET /api/admin/audit': null,
  'GET /api/admin/lists': null,
  'POST /api/admin/lists': '{"name":"desk","content":"a.example"}',
  'GET /api/admin/lists/desk': null,
  'PUT /api/admin/lists/desk': '{"content":"a.example"}',
  'DELETE /api/admin/lists/desk': null,
  'GET /api/admin/lists/desk/versions': null,
  'POST /api/admin/lists/desk/rollback': '',
  'POST /api/admin/lists/test': '{"url":"http://example.com/"}',
  'POST /api/admin/lists/desk/entries': '{"entry":"a.example"}',
  'DELETE /api/admin/lists/desk/entries': null,
  'POST /api/admin/lists/desk/removals': '{"entries":["a.example"]}',
  'GET /api/admin/list-entries': null,
  'GET /api/admin/feedback': null,
  'PATCH /api/admin/feedback/desk': '{"state":"rejected"}',
  'GET /api/admin/status': null,
  'POST /api/admin/list-sources/renew': '',
  'GET /api/admin/settings': null,
  'GET /api/admin/nodes': null,
  'GET /api/admin/gate': null,
  'POST /api/admin/gate/test': '{"url":"http://example.com/"}',
  'GET /api/admin/activity': null,
  'GET /api/admin/live': null,
  'GET /api/admin/checks': null,
  'GET /api/admin/checks/desk': null,
  'GET /api/admin/backups': null,
  'POST /api/admin/backups': '',
  'GET /api/admin/backups/desk': null,
  'GET /api/admin/packs': null,
  'POST /api/admin/packs': '{}',
  'POST /api/admin/packs/rollback': '',
  'GET /api/admin/models': null,
  'POST /api/admin/models/compare': '{"model":"shipped"}',
  'PUT /api/admin/models/active': '{"model":"shipped"}',
  'POST /api/admin/models/rollback': '',
  'GET /api/admin/brands': null,
  'POST /api/admin/brands': '{"domains":["nordwerk.example"]}',
  'DELETE /api/admin/brands/desk': null,
  'GET /api/about': null,
  'GET /feeds/rpz': null,
  'GET /modules': null,
  'POST /query': '{"module":"lurecheck","attribute":{"type":"url","value":"http://example.com/"}}',
  'GET /livez': null,
  'GET /readyz': null,
  'GET /metrics': null,
  'GET /': null,
  'GET /assets/icon-1.svg': null,
  'GET /opensearch.xml': null,
  'GET /.well-known/security.txt': null,
  'GET /help': null,
  'GET /help/alerts': null,
  'GET /help/none': null,
  'GET /swagger': null,
  'GET /swagger/json': null,
  'GET /swagger/start.js': null,
  'GET /openapi.json': null,
  'GET /none': null,
  'GET /api/none': null,
};

/** What a request has beside, or in place of, what its route wants. */
interface Change {
  readonly method?: string;
  /** Behind the path. */
  readonly more?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const NAMED = { host: 'check.example' };

/** Keys with a scope each; any other secret is of no key. */
const KEYS = new Map(
  (['check', 'batch', 'history', 'stats', 'metrics', 'feedback', 'history.private'] as const).map((scope) => [
    `lck_${scope}`,
    makeKey({ name: scope, scopes: [scope], limit: null, expires_at: null }, 0).key,
  ]),
);

/** Changes of a request to any route. */
const OF_ALL: Readonly<Record<string, Change>> = {
  'as it is': {},
  HEAD: { method: 'HEAD' },
  OPTIONS: { method: 'OPTIONS' },
  PUT: { method: 'PUT', body: '{}' },
  DELETE: { method: 'DELETE' },
  'slash behind': { more: '/' },
  'unknown parameter': { more: '?zz=1' },
  'foreign host': { headers: { host: 'foreign.example' } },
  'foreign host, a person': { headers: { host: 'foreign.example', accept: 'text/html' } },
  'foreign origin': { headers: { origin: 'https://foreign.example' } },
  'compressed answer': { headers: { 'accept-encoding': 'gzip, br, zstd' } },
  'unknown key': { headers: { authorization: 'Bearer lck_none' } },
  ...Object.fromEntries(
    [...KEYS.keys()].map((secret) => [
      `key for ${secret.slice(4)}`,
      { headers: { authorization: `Bearer ${secret}` } },
    ]),
  ),
};

/** Changes of a request that has a body. */
const OF_BODIES: Readonly<Record<string, Change>> = {
  'cross-site': { headers: { 'sec-fetch-site': 'cross-site' } },
  'wrong type': { headers: { 'content-type': 'text/plain' } },
  'wrong charset': { headers: { 'content-type': 'application/json; charset=latin1' } },
  'encoded body': { headers: { 'content-encoding': 'gzip' } },
  'too large': { body: `{"url":"${'x'.repeat(920_000)}"}` },
  'malformed JSON': { body: '{' },
  'empty body': { body: '' },
  'no object': { body: '[]' },
  'member twice': { body: '{"url":"http://a.example/","url":"http://b.example/"}' },
  'unknown member': { body: '{"url":"http://a.example/","privateMode":true}' },
  __proto__: { body: '{"__proto__":{}}' },
  'wrong types': { body: '{"url":1,"urls":1,"link":1,"verdict":1,"private_mode":"true"}' },
  'no URL': { body: '{"url":"example.com","urls":[],"link":"","verdict":"none"}' },
  'other scheme': { body: '{"url":"ftp://example.com/"}' },
  'in private': { body: '{"url":"http://example.com/","private_mode":true}' },
  short: { more: '?view=short' },
  'wrong view': { more: '?view=long' },
  'two views': { more: '?view=short&view=full' },
  events: { headers: { accept: 'text/event-stream' } },
  lines: { headers: { accept: 'application/x-ndjson' } },
  'several faults': { headers: { origin: 'null', host: 'foreign.example', 'content-type': 'a/b' }, body: '{' },
};

/** Changes of a request that reads. */
const OF_READS: Readonly<Record<string, Change>> = {
  verbose: { more: '?verbose' },
  limit: { more: '?limit=5&decision=block' },
  'limit twice': { more: '?limit=5&limit=6' },
  'wrong limit': { more: '?limit=0' },
  'both directions': { more: '?after=a&cursor=b' },
  forward: { more: '?after=' },
  'in German': { headers: { 'accept-language': 'de' } },
  'known file': { headers: { 'if-none-match': '*' } },
};

/** What begins the details of a result, which have tests of their own. */
const DETAILS = '"analysis_details":';

/** Texts about the service that a release rewords; they have tests of their own. */
const WRITTEN = /^(\/phish)?\/(help|swagger|openapi)/;

async function answerOf(server: Server, route: string, base: string, change: Change): Promise<string> {
  const [usual = '', path = ''] = route.split(' ');
  const { method = usual, more = '', headers = {} } = change;
  const form = path === '/share' ? 'application/x-www-form-urlencoded' : 'application/json';
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? (change.body ?? ROUTES[route] ?? null) : null;
  const response = await fetch(`${server.url}${base}${path}${more}`, {
    method,
    headers: { ...NAMED, 'content-type': form, ...headers },
    body,
    redirect: 'manual',
    decompress: false,
  });
  return await writtenOut(response, WRITTEN.test(`${base}${path}`));
}

/** An answer, with what differs from run to run replaced. */
async function writtenOut(response: Response, isWritten: boolean): Promise<string> {
  const bytes = await response.bytes();
  const { headers } = response;
  const text = decoded(bytes, headers);
  const isLong = isWritten || headers.has('content-encoding') || text.includes(DETAILS);
  for (const name of ['date', ...(isLong ? ['content-length', 'etag'] : [])]) headers.delete(name);
  const body = isWritten && response.ok ? `written: ${text !== ''}` : text;
  const head = [...headers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}: ${value}\n`);
  return `${response.status}\n${head.join('')}\n${body}`
    .replaceAll(new RegExp(`${DETAILS}.*?(?=,"timestamp")`, 'g'), DETAILS)
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"elapsed_seconds":[\d.e-]+/g, '"elapsed_seconds":0')
    .replaceAll(/(?<=lurecheck_session=)[\w-]{123}/g, 'ID')
    .replaceAll(/"signature":"[\w-]+"/g, '"signature":""')
    .replaceAll(/(?<=;t=|in |retry-after: )[3-6]\d\b/g, '60');
}

function decoded(bytes: Uint8Array, headers: Headers): string {
  const coding = headers.get('content-encoding');
  const plain =
    coding === 'gzip'
      ? Bun.gunzipSync(Uint8Array.from(bytes))
      : coding === 'zstd'
        ? Bun.zstdDecompressSync(bytes)
        : bytes;
  return new TextDecoder().decode(plain);
}

/** Sends many requests, one after the other; a line for each, with status and hash of its answer. */
async function answersOf(
  server: Server,
  changes: (body: string | null) => Readonly<Record<string, Change>>,
  base = '',
) {
  const lines: string[] = [];
  for (const [route, body] of Object.entries(ROUTES)) {
    for (const [name, change] of Object.entries(changes(body))) {
      const answer = await answerOf(server, route, base, change);
      const hash = new Bun.CryptoHasher('sha256').update(answer).digest('hex').slice(0, 8);
      lines.push(`${answer.slice(0, 3)} ${hash} ${route}: ${name}`);
    }
  }
  return lines;
}

/** A server for one name, without limits but those that are given. */
const startNamed = ({ settings, ...options }: Parameters<typeof startServer>[0] = {}) =>
  startServer({
    settings: { host: ['check.example'], feedback_limit: 0, contact: 'ops@example.com', ...settings },
    keys: { find: (secret) => KEYS.get(secret) ?? null },
    ...options,
  });

const pick = (changes: Readonly<Record<string, Change>>, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, changes[name] ?? {}]));

test('the requests of this test cover every route of the API', async () => {
  await using server = startNamed();
  const unasked = server.routes.filter((route) => !(route.replace(/:\w+/, 'desk') in ROUTES));
  expect(unasked.filter((route) => /^POST |\/api\//.test(route))).toEqual([]);
});

// Where an answer is meant to change: look at the difference, then `bun test --update-snapshots` with this file.
test('every route returns the recorded answers to valid and faulty requests', async () => {
  await using server = startNamed();
  const lines = await answersOf(server, (body) => ({ ...OF_ALL, ...(body === null ? OF_READS : OF_BODIES) }));
  expect(lines.join('\n')).toMatchSnapshot();
});

test('every route returns the recorded answers below a base path and outside it', async () => {
  await using server = startNamed({ settings: { base_path: '/phish' } });
  const names = ['as it is', 'HEAD', 'OPTIONS', 'DELETE', 'slash behind', 'unknown parameter', 'foreign host'];
  const lines = await answersOf(server, () => pick(OF_ALL, ...names), '/phish');
  const beside = await answersOf(server, () => pick(OF_ALL, 'as it is', 'unknown parameter'));
  expect([...lines, ...beside].join('\n')).toMatchSnapshot();
});

test('every route returns the recorded answers to a client over its limit', async () => {
  await using server = startNamed({ settings: { rate_limit: 1, feedback_limit: 1 } });
  const lines = await answersOf(server, (body) => ({
    ...pick(OF_ALL, 'as it is', 'unknown key', 'foreign host', 'OPTIONS'),
    ...(body === null ? {} : pick(OF_BODIES, 'several faults', 'malformed JSON')),
  }));
  expect(lines.join('\n')).toMatchSnapshot();
});

test('every route returns the recorded answers with a hidden history and failing checks', async () => {
  const failures = [new UnavailableError('log_unavailable', 'The disk is full.', 10), new Error('a fault')];
  for (const failure of failures) {
    await using server = startNamed({
      settings: { public_history: false, contact: null },
      check: () => Promise.reject(failure),
      readiness: async () => ({
        problem: { code: 'stopping', detail: 'It stops.' },
        notices: [],
        conditions: [],
        parts: [],
      }),
    });
    const lines = await answersOf(server, (body) => ({
      ...pick(OF_ALL, 'as it is', 'key for history', 'key for stats'),
      ...(body === null ? pick(OF_READS, 'verbose') : pick(OF_BODIES, 'short', 'events', 'lines', 'in private')),
    }));
    expect(lines.join('\n')).toMatchSnapshot();
  }
});
