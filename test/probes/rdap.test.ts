import { describe, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { FailureError } from '#src/base/failure.ts';
import { askRdap } from '#src/probes/rdap.ts';
import { serveDns } from '#test/egress/dns-server.ts';
import { openLoopback } from '#test/egress/loopback.ts';
import { createCertificateAuthority, createSelfSigned } from '#test/support/certificate-authority.ts';
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
  const tools = { door: egress.door(), clock: fixedClock, timeoutMs: PATIENT_MS };
  const result = await askRdap(`https://${HOST}:${port}/`, DOMAIN, tools, new AbortController().signal).then(
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

test('a domain that the registry does not have is not found', async () => {
  expect((await ask(() => ({ status: 404 }))).outcome).toBe('registration_not_found');
});

test('a redirect over https is followed', async () => {
  const result = await ask((path) =>
    path === '/moved' ? found({ status: ['active'] }) : { status: 302, headers: { location: '/moved' } },
  );
  expect(result.facts?.statuses).toEqual(['active']);
});

test('a server that proves no identity is not believed', async () => {
  const result = await ask(() => found({}), createSelfSigned(Date.now(), { subject: HOST }));
  expect(result.outcome).toBe('tls_handshake_failed');
  expect(result.paths).toEqual([]);
});

describe('a link to a second server', () => {
  const linked = (href: string, more: object = {}) =>
    found({ status: ['active'], links: [{ rel: 'related', type: 'application/rdap+json', href }], ...more });
  const CREATED = { events: [{ eventAction: 'registration', eventDate: '2024-05-06T00:00:00Z' }] };

  test('is followed once, where the first does not know the date', async () => {
    const result = await ask((path, port) =>
      path === '/second' ? linked(`https://${HOST}:${port}/third`) : linked(`https://${HOST}:${port}/second`),
    );
    expect(result.paths).toEqual([`/domain/${DOMAIN}`, '/second']);
    const dated = await ask((path, port) => (path === '/2' ? found(CREATED) : linked(`https://${HOST}:${port}/2`)));
    expect(dated.facts).toMatchObject({ statuses: ['active'], createdAt: '2024-05-06T00:00:00.000Z' });
  });

  test.each(['http://rdap.test/', 'https://user@rdap.test/', 'https://127.0.0.1:1/', 'file:///etc/passwd', 'x'])(
    '%s leads nowhere, and what is known stays',
    async (href) => {
      const result = await ask(() => linked(href));
      expect(result.facts?.statuses).toEqual(['active']);
      expect(result.paths).toHaveLength(1);
    },
  );
});
