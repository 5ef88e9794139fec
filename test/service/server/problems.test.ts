import { expect, test } from 'bun:test';
import { makeKey } from '#src/admin/keys/api-key.ts';
import { KeyError } from '#src/admin/keys/manage-keys.ts';
import { BadCursorError } from '#src/checks/store/scan-log.ts';
import { OperationError, UnavailableError } from '#src/core/base/errors/operation-error.ts';
import type { ProblemBody } from '#src/service/server/http/problem.ts';
import { PROBLEM_KINDS } from '#src/service/server/http/problem-kinds.ts';
import { startServer } from './running-server.ts';

/** Others' programs go by these: one may be added, none taken away or given another status. */
const RELEASED = {
  invalid_json: 400,
  invalid_body: 400,
  unknown_member: 400,
  invalid_url: 400,
  unsupported_scheme: 400,
  url_too_long: 400,
  invalid_parameter: 400,
  unauthorized: 401,
  forbidden_scope: 403,
  insecure_connection: 403,
  cross_site: 403,
  not_found: 404,
  switched_off: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  precondition_required: 428,
  rate_limited: 429,
  internal: 500,
  overloaded: 503,
  feed_unavailable: 503,
  stopping: 503,
  audit_unavailable: 503,
  log_unavailable: 503,
  unexamined: 503,
} as const satisfies { [Code in keyof typeof PROBLEM_KINDS]: (typeof PROBLEM_KINDS)[Code]['status'] };

const CHECK = '/api/check-url';
const URL_SENT = 'http://example.com/';

/** A request, and how the service is that refuses it. */
interface Refused {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly service?: Parameters<typeof startServer>[0];
}

const posting = (body: unknown): Refused => ({ body: typeof body === 'string' ? body : JSON.stringify(body) });
const reading = (path: string, service: Refused['service'] = {}): Refused => ({ path, method: 'GET', service });
const failing = (error: Error): Refused => ({ service: { check: () => Promise.reject(error) } });

const STATS_ALONE = {
  find: () => ({
    name: 'stats',
    secret_sha256: '',
    scopes: ['stats' as const],
    limit: null,
    created_at: '',
    expires_at: null,
  }),
};

const ADMIN = makeKey({ name: 'desk', scopes: ['admin'], limit: null, expires_at: null }, 0).key;

/** A service with one key, which may do everything. */
const FOR_ADMIN: NonNullable<Refused['service']> = {
  keys: { find: () => ADMIN },
  apiKeys: {
    list: () => [ADMIN],
    create: (_, { name }) => Promise.reject(new KeyError('exists', name)),
    update: () => Promise.resolve(ADMIN),
    revoke: () => Promise.resolve(),
  },
};

const signedIn = (method: string, path: string, more: Partial<Refused> = {}): Refused => ({
  ...{ method, path, service: FOR_ADMIN },
  ...more,
  headers: { authorization: 'Bearer lck_desk', ...more.headers },
});

const REFUSED: { readonly [Code in keyof typeof RELEASED]: readonly Refused[] } = {
  invalid_json: ['{', '\uFEFF{}', '{"url":"","url":""}', '['.repeat(40) + ']'.repeat(40)].map(posting),
  invalid_body: [[], {}, { url: 5 }, { url: URL_SENT, private_mode: 1 }, { privateMode: true }].map(posting),
  unknown_member: [posting({ url: URL_SENT, privateMode: true }), posting('{"url":"http://a/","__proto__":{}}')],
  invalid_url: ['', 'example.com', 'http://', 'not a url', 'hxxps://a[.]example/'].map((url) => posting({ url })),
  unsupported_scheme: ['ftp://example.com/', 'javascript:alert(1)', 'data:,x'].map((url) => posting({ url })),
  url_too_long: [posting({ url: `http://example.com/${'a'.repeat(8_192)}` })],
  invalid_parameter: [
    reading('/api/history?limit=0'),
    reading('/api/history?limit=1&limit=2'),
    reading('/api/history?cursor=x', {
      history: () => Promise.reject(new BadCursorError()),
    }),
  ],
  unauthorized: [
    { ...posting({ url: URL_SENT }), headers: { authorization: 'Bearer lck_nobody' } },
    { ...reading('/api/history'), headers: { authorization: 'Bearer lck_nobody' } },
    reading('/metrics'),
  ],
  forbidden_scope: [
    { ...posting({ url: URL_SENT }), headers: { authorization: 'Bearer lck_stats' }, service: { keys: STATS_ALONE } },
  ],
  insecure_connection: [
    signedIn('POST', '/api/session', {
      headers: { 'x-forwarded-for': '192.0.2.1' },
      service: { ...FOR_ADMIN, settings: { trusted_proxy: [{ network: { family: 4, value: 0n }, bits: 0 }] } },
      body: '',
    }),
  ],
  conflict: [signedIn('POST', '/api/admin/keys', { body: '{"name":"desk","scopes":["check"]}' })],
  precondition_failed: [signedIn('DELETE', '/api/admin/keys/desk', { headers: { 'if-match': '"other"' } })],
  precondition_required: [signedIn('DELETE', '/api/admin/keys/desk')],
  cross_site: [{ headers: { 'Sec-Fetch-Site': 'cross-site' } }],
  not_found: [reading('/nothing')],
  switched_off: [
    ...['/api/history', '/api/stats'].map((path) => reading(path, { settings: { public_history: false } })),
    reading('/feeds/rpz'),
  ],
  method_not_allowed: [{ method: 'PUT' }, reading(CHECK)],
  body_too_large: [
    posting(' '.repeat(32 * 1024 + 1)),
    { ...posting(' '.repeat(896 * 1024 + 1)), path: '/api/check-urls' },
  ],
  unsupported_media_type: [
    { headers: { 'Content-Type': 'text/plain' } },
    { headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } },
    { headers: { 'Content-Encoding': 'gzip' } },
  ],
  misdirected: [{ headers: { Host: 'other.example' } }, { path: '/nothing', headers: { Host: 'other.example' } }],
  rate_limited: [{ service: { settings: { rate_limit: 1 } } }],
  internal: [failing(new Error('a fault'))],
  overloaded: [
    failing(new UnavailableError('overloaded', 'Too many.', 3)),
    { service: { settings: { rate_limit_total: 1 } } },
  ],
  feed_unavailable: [
    reading('/feeds/rpz', {
      feeds: { isOn: () => true, pull: () => Promise.resolve(null), onPulled: () => {} },
      feedPeers: () => [{ network: { family: 4, value: 0n }, bits: 0 }],
    }),
  ],
  stopping: [
    failing(new UnavailableError('stopping', 'The end.', 3)),
    reading('/readyz', {
      readiness: () =>
        Promise.resolve({ problem: { code: 'stopping', detail: 'The end.' }, notices: [], conditions: [], parts: [] }),
    }),
  ],
  audit_unavailable: [
    failing(new OperationError('audit_damaged', ['the audit log /data/audit.log is damaged'])),
    failing(new OperationError('audit_unwritable', ['no room for /data/audit.log'])),
  ],
  unexamined: [
    {
      path: '/api/check-message',
      body: JSON.stringify({ text: 'x' }),
      service: { readMail: () => Promise.reject(new UnavailableError('unexamined', 'Too slow.', 3)) },
    },
  ],
  log_unavailable: [
    failing(new UnavailableError('log_unavailable', 'No.', 3)),
    reading('/readyz', {
      readiness: () =>
        Promise.resolve({
          problem: { code: 'log_unavailable', detail: 'No.' },
          notices: [],
          conditions: [],
          parts: [],
        }),
    }),
  ],
};

async function refusal({ path = CHECK, method = 'POST', headers, body, service }: Refused): Promise<Response> {
  await using server = startServer(service);
  const send = () =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(method === 'POST' && { body: body ?? JSON.stringify({ url: URL_SENT }) }),
    });
  const first = await send();
  // Where a limit is what refuses, it lets one request pass.
  return first.ok ? await send() : first;
}

test.each(Object.entries(REFUSED))(
  'a problem %s is identified by its code, type and status',
  async (code, requests) => {
    const status = new Map<string, number>(Object.entries(RELEASED)).get(code);
    for (const request of requests) {
      const response = await refusal(request);
      const problem = (await response.json()) as ProblemBody;
      expect([request, response.headers.get('content-type')]).toEqual([request, 'application/problem+json']);
      const told = { code: problem.code, type: problem.type, statuses: [problem.status, response.status] };
      expect<object>({ request, ...told }).toEqual({
        request,
        code,
        type: `urn:lurecheck:problem:${code}`,
        statuses: [status, status],
      });
      expect(response.headers.has('retry-after')).toBe(response.status === 429 || response.status === 503);
    }
  },
);

test('no code is renamed, removed or moved to another status', () => {
  expect(Object.fromEntries(Object.entries(PROBLEM_KINDS).map(([code, { status }]) => [code, status]))).toEqual(
    RELEASED,
  );
});

test('the documentation lists every code with its status and its meaning', async () => {
  const page = await Bun.file('src/service/server/INTERFACE.md').text();
  for (const [code, { status, meaning }] of Object.entries(PROBLEM_KINDS)) {
    expect(page).toContain(`| \`${code}\` | ${status} | ${meaning} |\n`);
  }
});

test('a charset that is UTF-8 in any spelling is accepted', async () => {
  await using server = startServer();
  for (const type of ['charset=utf-8', 'charset="UTF-8"', ' Charset=utf8 ; v=1', 'charset=us-ascii', 'v=1']) {
    const response = await server.check({ url: URL_SENT }, { 'Content-Type': `Application/JSON;${type}` });
    expect([type, response.status]).toEqual([type, 200]);
  }
});

test('a body that is not encoded may say so', async () => {
  await using server = startServer();
  for (const coding of ['identity', 'Identity']) {
    const response = await server.check({ url: URL_SENT }, { 'Content-Encoding': coding });
    expect([coding, response.status]).toEqual([coding, 200]);
  }
});
