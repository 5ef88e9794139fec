import { describe, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { FailureError } from '#src/core/base/failure.ts';
import type { HopRequest } from '#src/network/egress/http/hop.ts';
import { queryRdap } from '#src/network/probes/registration.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { createCertificateAuthority, createSelfSigned } from '#test/support/certificate-authority.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { fixedClock } from '#test/support/now.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { serveWeb, type WebAnswer } from '#test/support/web-server.ts';
import vectors from '#test/vectors/whois-rdap.json' with { type: 'json' };

const DOMAIN = 'example.com';
const HOST = 'rdap.test';
const authority = createCertificateAuthority(Date.now());
const leaf = authority.issue({ subject: HOST });

/** Asks a server that answers as told, and tells what came of it and who was asked for. */
async function ask(answer: (path: string, port: number) => WebAnswer, certificate = leaf) {
  const paths: string[] = [];
  let port = 0;
  await using server = await serveWeb(
    (path) => {
      paths.push(path);
      return answer(path, port);
    },
    { leaf: certificate },
  );
  port = server.port;
  await using dns = await serveDns(() => ({ answers: [{ name: '@', type: 'A', ttl: 60, data: '127.0.0.1' }] }));
  await using egress = openLoopback([port], { dns_server: [dns.endpoint] }, [authority.pem]);
  const tools = { egressClient: egress.client(), clock: fixedClock, timeoutMs: PATIENT_MS };
  const result = await queryRdap(`https://${HOST}:${port}/`, DOMAIN, tools, new AbortController().signal).then(
    (facts) => ({ outcome: 'found', facts }),
    (error) => {
      if (!(error instanceof FailureError)) throw error;
      return { outcome: error.code, facts: null };
    },
  );
  return { ...result, paths, names: [...new Set(dns.queries.map((query) => query.split(' ')[0]))] };
}

/** What the vectors call each outcome, in the words of this program. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  ok: ['found'],
  unavailable: ['registration_refused'],
  truncated: ['response_too_large'],
  unparsable: ['response_malformed'],
  // An answer without a date may still tell something else; one that tells nothing is malformed.
  'no-date': ['found', 'response_malformed'],
  refused: ['redirect_invalid', 'too_many_redirects', 'response_malformed'],
};

function answerOf(http: (typeof vectors.rdap)[number]['http'], port: number): WebAnswer {
  const { status, headers } = http;
  const self = `https://${HOST}:${port}/domain/${DOMAIN}`;
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value).replace('{SELF}', self)]),
  );
  const mebibyte = zlib.gzipSync(Buffer.alloc(1 << 20));
  const body = 'bombMiB' in http ? Buffer.alloc(mebibyte.length * (http.bombMiB ?? 0), mebibyte) : http.body;
  return { status, headers: filled, body: body ?? '' };
}

describe('the RDAP vectors', () => {
  test.each(vectors.rdap.map((vector) => [vector.id, vector] as const))('%s', async (_, { http, expect: expected }) => {
    const result = await ask((_path, port) => answerOf(http, port));
    expect(OUTCOMES[expected.outcome]).toContain(result.outcome);
    if (expected.outcome === 'no-date') expect(result.facts?.createdAt ?? null).toBeNull();
    if (expected.outcome === 'ok') expect(result.facts?.createdAt).toBe('1995-08-14T04:00:00.000Z');
    expect(result.names).toEqual([HOST]);
    expect(result.paths.length).toBeLessThanOrEqual(4);
    expect(new Set(result.paths)).toEqual(new Set([`/domain/${DOMAIN}`]));
  });
});

const found = (more: object) => ({ body: JSON.stringify({ objectClassName: 'domain', ldhName: DOMAIN, ...more }) });

test('reports a domain that the registry does not have as not found', async () => {
  expect((await ask(() => ({ status: 404 }))).outcome).toBe('registration_not_found');
});

test('follows a redirect over HTTPS', async () => {
  const result = await ask((path) =>
    path === '/moved' ? found({ status: ['active'] }) : { status: 302, headers: { location: '/moved' } },
  );
  expect(result.facts?.statuses).toEqual(['active']);
});

test('does not query a server without a trusted certificate', async () => {
  const result = await ask(() => found({}), createSelfSigned(Date.now(), { subject: HOST }));
  expect(result.outcome).toBe('tls_handshake_failed');
  expect(result.paths).toEqual([]);
});

describe('a link to a second server', () => {
  const linked = (href: string, more: object = {}) =>
    found({ status: ['active'], links: [{ rel: 'related', type: 'application/rdap+json', href }], ...more });
  const CREATED = { events: [{ eventAction: 'registration', eventDate: '2024-05-06T00:00:00Z' }] };

  test('is followed once if the first server has no creation date', async () => {
    const result = await ask((path, port) =>
      path === '/second' ? linked(`https://${HOST}:${port}/third`) : linked(`https://${HOST}:${port}/second`),
    );
    expect(result.paths).toEqual([`/domain/${DOMAIN}`, '/second']);
    const dated = await ask((path, port) => (path === '/2' ? found(CREATED) : linked(`https://${HOST}:${port}/2`)));
    expect(dated.facts).toMatchObject({ statuses: ['active'], createdAt: '2024-05-06T00:00:00.000Z' });
  });

  test.each(['http://rdap.test/', 'https://user@rdap.test/', 'https://127.0.0.1:1/', 'file:///etc/passwd', 'x'])(
    '%s is not followed, and the facts of the first server remain',
    async (href) => {
      const result = await ask(() => linked(href));
      expect(result.facts?.statuses).toEqual(['active']);
      expect(result.paths).toHaveLength(1);
    },
  );
});

describe('an RDAP lookup', () => {
  const BASE = 'https://rdap.test/';
  const CREATED = { events: [{ eventAction: 'registration', eventDate: '2024-05-06T00:00:00Z' }] };

  /** What came of asking behind an egress client whose answers are made here, each of which takes so long. */
  async function askWith(
    answer: (url: string) => WebAnswer & { readonly truncated?: boolean },
    { tookMs = 0, timeoutMs = 1000, signal = new AbortController().signal } = {},
  ) {
    const clock = createHeldClock(5000);
    const requests: HopRequest[] = [];
    const egressClient = {
      async fetchHop(request: HopRequest) {
        requests.push(request);
        clock.nowMs += tookMs;
        const { status = 200, headers = {}, body = '', truncated = false } = answer(request.url.requestUrl);
        const rest = { decoded: true, address: '192.0.2.1', tls: null, wireBytes: 0, truncated };
        const lines = Object.entries(headers).map(([name, value]) => [name, `${value}`] as const);
        return { status, headers: new Map(lines), body: Buffer.from(body), ...rest };
      },
    };
    const tools = { egressClient, clock: { ...clock, ...fixedClock, monotonicMs: clock.monotonicMs }, timeoutMs };
    const outcome = await queryRdap(BASE, DOMAIN, tools, signal).then(
      ({ createdAt }) => createdAt,
      (error) => (error instanceof FailureError ? error.code : `${error}`),
    );
    return { outcome, requests };
  }

  const redirectTo = (location: string) => ({ status: 302, headers: { location } });

  test('requests at most 256 KiB of JSON from a server with a trusted certificate', async () => {
    const { outcome, requests } = await askWith(() => found(CREATED));
    expect(outcome).toBe('2024-05-06T00:00:00.000Z');
    expect(requests).toMatchObject([
      {
        url: { requestUrl: 'https://rdap.test/domain/example.com' },
        headers: { accept: 'application/rdap+json, application/json' },
        bodyBytes: 262_144,
        timeoutMs: 1000,
        trustRequired: true,
        skipRedirectBody: true,
      },
    ]);
  });

  test('follows three redirects, but not a fourth', async () => {
    const chain = (length: number) =>
      askWith((url) => {
        const at = Number(/\d+$/.exec(url)?.[0] ?? 0);
        return at < length ? redirectTo(`/r${at + 1}`) : found(CREATED);
      });
    expect((await chain(3)).outcome).toBe('2024-05-06T00:00:00.000Z');
    const { outcome, requests } = await chain(4);
    expect([outcome, requests.length]).toEqual(['too_many_redirects', 4]);
  });

  test.each([
    'http://rdap.test/',
    'https://user@rdap.test/',
    'https://:pw@rdap.test/',
    'https://',
    'mailto:a@b.example',
  ])('does not follow a redirect to %s', async (location) => {
    const { outcome, requests } = await askWith(() => redirectTo(location));
    expect([outcome, requests.length]).toEqual(['redirect_invalid', 1]);
  });

  test('has one timeout for all of its servers', async () => {
    const moved = (url: string) => (url.endsWith('/moved') ? found(CREATED) : redirectTo('/moved'));
    const inTime = await askWith(moved, { tookMs: 999 });
    expect(inTime.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 1]);
    const late = await askWith(moved, { tookMs: 1000 });
    expect([late.outcome, late.requests.length]).toEqual(['timeout', 1]);
  });

  test.each([
    [404, 'registration_not_found'],
    [429, 'registration_refused'],
    [503, 'registration_refused'],
    [500, 'registration_refused'],
    [403, 'registration_refused'],
    [204, 'registration_refused'],
  ])('reports status %i as %s', async (status, code) => {
    expect((await askWith(() => ({ ...found(CREATED), status }))).outcome).toBe(code);
  });

  test('pauses a server that limits requests, for the time in its Retry-After header', async () => {
    const restOf = (status: number, headers: Readonly<Record<string, string>>) => {
      const hop = { body: Buffer.from(''), truncated: false, decoded: true, address: '', tls: null, wireBytes: 0 };
      const egressClient = { fetchHop: async () => ({ ...hop, status, headers: new Map(Object.entries(headers)) }) };
      const tools = { egressClient, clock: fixedClock, timeoutMs: 1000 };
      return queryRdap(BASE, DOMAIN, tools, new AbortController().signal).catch((error) => error.pauseMs);
    };
    expect(await restOf(429, { 'retry-after': '7' })).toBe(7000);
    expect(await restOf(503, {})).toBe(60_000);
    expect(await restOf(500, { 'retry-after': '7' })).toBeUndefined();
  });

  test('refuses an answer that is truncated, not JSON or about another domain', async () => {
    expect((await askWith(() => ({ ...found(CREATED), truncated: true }))).outcome).toBe('response_too_large');
    expect((await askWith(() => ({ body: '<html>' }))).outcome).toBe('response_malformed');
    expect((await askWith(() => found({ ...CREATED, ldhName: 'other.example' }))).outcome).toBe('response_malformed');
  });

  test('ends with the check, also at the second server', async () => {
    const link = { rel: 'related', type: 'application/rdap+json', href: 'https://second.test/' };
    const first = found({ status: ['active'], links: [link] });
    const broken = (error: Error) =>
      askWith((url) => {
        if (url.includes('second')) throw error;
        return first;
      });
    expect((await broken(new FailureError('aborted'))).outcome).toBe('aborted');
    expect((await broken(new TypeError('a fault'))).outcome).toBe('TypeError: a fault');
    expect((await broken(new FailureError('timeout'))).outcome).toBeNull();
  });
});
