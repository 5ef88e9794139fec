import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import type { EgressClient } from '#src/network/egress/egress-client.ts';
import { queryWhois } from '#src/network/probes/registration.ts';
import { registryName, whoisQuery } from '#src/network/registry/suffix-server.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { createHeldClock } from '#test/support/held-clock.ts';
import { fixedClock, NOW_MS } from '#test/support/now.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import vectors from '#test/vectors/whois-rdap.json' with { type: 'json' };

const DOMAIN = 'example.com';
const SERVER = 'a.whois.test';
const BUDGET_BYTES = 128 * 1024;

/** What the vectors call each outcome, in the words of this program. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  ok: ['found'],
  unavailable: ['registration_refused'],
  error: ['connection_reset'],
  truncated: ['response_too_large'],
  unparsable: ['response_malformed'],
  'no-date': ['response_malformed'],
};

describe('the WHOIS vectors', () => {
  test.each(vectors.whois.map((vector) => [vector.id, vector] as const))(
    '%s',
    async (_, { script, expect: expected }) => {
      const nowPlusHour = new Date(NOW_MS + 3_600_000).toISOString();
      const filled = script.map((op) => ({
        ...op,
        data: 'data' in op ? op.data?.replace('{NOW+1h}', nowPlusHour) : '',
      }));
      await using server = await serveScript(() => filled);
      await using dns = await serveDns(() => ({ answers: [{ name: '@', type: 'A', ttl: 60, data: '127.0.0.1' }] }));
      await using egress = openLoopback([server.port], { dns_server: [dns.endpoint] });
      const tools = { egressClient: egress.client(), clock: fixedClock, timeoutMs: PATIENT_MS };
      const { signal } = new AbortController();

      const result = await queryWhois({ host: SERVER, port: server.port }, DOMAIN, tools, signal).then(
        (facts) => ({ outcome: 'found', createdAt: facts.createdAt }),
        (error) => {
          if (!(error instanceof FailureError)) throw error;
          return { outcome: error.code, createdAt: null };
        },
      );

      if ('outcome' in expected) expect(OUTCOMES[expected.outcome ?? '']).toContain(result.outcome);
      if ('created' in expected) expect(result.createdAt?.slice(0, 10) ?? null).toBe(expected.created ?? null);
      const asked = new Set(dns.queries.map((query) => query.split(' ')[0]));
      asked.delete(SERVER);
      if ('connectsTo' in expected) expect([...asked]).toEqual(expected.connectsTo ?? []);
      if ('maxServers' in expected) expect(asked.size + 1).toBeLessThanOrEqual(expected.maxServers ?? 0);
      expect(server.requests).toEqual([DOMAIN]);
    },
  );
});

describe('the query vectors', () => {
  test.each(vectors.queries.map((vector) => [vector.id, vector] as const))('%s', (_, { domain, sent }) => {
    const name = registryName(domain);
    expect(name && whoisQuery(name, 'whois.example')).toBe(sent);
  });
});

describe('referrals', () => {
  /** An egress client behind which each WHOIS server says what the table holds. */
  const clientWith = (answers: Readonly<Record<string, string>>) => {
    const asked: string[] = [];
    const exchange: EgressClient['exchange'] = ({ host, port, maxBytes }) => {
      asked.push(`${host}:${port}`);
      expect(maxBytes).toBe(BUDGET_BYTES);
      const answer = answers[host];
      if (answer === undefined) return Promise.reject(new FailureError('egress_denied'));
      return Promise.resolve({ address: '192.0.2.1', bytes: new TextEncoder().encode(answer), truncated: false });
    };
    return { asked, tools: { egressClient: { exchange }, clock: fixedClock, timeoutMs: PATIENT_MS } };
  };
  const ask = (tools: Parameters<typeof queryWhois>[2]) =>
    queryWhois({ host: 'a.example', port: 4343 }, DOMAIN, tools, new AbortController().signal);

  test('are followed only to port 43, for at most three servers', async () => {
    const { asked, tools } = clientWith({
      'a.example': 'refer: b.example',
      'b.example': 'Registrar: B\nRegistrar WHOIS Server: c.example',
      'c.example': 'Registrar: C\nRegistrar WHOIS Server: d.example',
      'd.example': 'Creation Date: 2024-05-06',
    });
    expect((await ask(tools)).registrar).toBe('B');
    expect(asked).toEqual(['a.example:4343', 'b.example:43', 'c.example:43']);
  });

  test('are not followed if the date is available, and never twice to the same server', async () => {
    const known = clientWith({ 'a.example': 'Creation Date: 2024-05-06\nRegistrar WHOIS Server: b.example' });
    expect((await ask(known.tools)).createdAt).toBe('2024-05-06T00:00:00.000Z');
    expect(known.asked).toHaveLength(1);
    const circle = clientWith({ 'a.example': 'refer: b.example', 'b.example': 'refer: a.example' });
    await expect(ask(circle.tools)).rejects.toMatchObject({ code: 'response_malformed' });
    expect(circle.asked).toHaveLength(2);
  });

  test('add missing facts, and do not replace facts of the first server', async () => {
    const { tools } = clientWith({
      'a.example': 'Registrar: A\nDomain Status: ok\nRegistrar WHOIS Server: b.example',
      'b.example': 'Registrar: B\nCreation Date: 2024-05-06\nDomain Status: clientHold\nRegistrant Country: NO',
    });
    expect(await ask(tools)).toMatchObject({
      registrar: 'A',
      createdAt: '2024-05-06T00:00:00.000Z',
      statuses: ['ok'],
      registrantCountry: 'NO',
    });
  });

  test('that fail leave the facts of the first server unchanged', async () => {
    const { tools } = clientWith({ 'a.example': 'Registrar: A\nRegistrar WHOIS Server: b.example' });
    expect((await ask(tools)).registrar).toBe('A');
  });
});

describe('a WHOIS lookup', () => {
  const DATED = 'Creation Date: 2024-05-06\n';

  /** What came of asking behind an egress client whose answers are made here, each of which takes so long. */
  async function askWith(
    answer: (host: string) => { readonly bytes: Uint8Array; readonly truncated?: boolean },
    { tookMs = 0, timeoutMs = 1000 } = {},
  ) {
    const clock = createHeldClock(5000);
    const requests: Parameters<EgressClient['exchange']>[0][] = [];
    const exchange: EgressClient['exchange'] = async (request) => {
      requests.push(request);
      clock.nowMs += tookMs;
      return { address: '192.0.2.1', truncated: false, ...answer(request.host) };
    };
    const tools = {
      egressClient: { exchange },
      clock: { now: fixedClock.now, monotonicMs: clock.monotonicMs },
      timeoutMs,
    };
    const first = { host: 'a.example', port: 4343 };
    const outcome = await queryWhois(first, DOMAIN, tools, new AbortController().signal).catch((error) => error);
    return { outcome, requests };
  }

  const text = (latin1: string) => ({ bytes: Buffer.from(latin1, 'latin1') });

  test('sends one line, and has one timeout for all of its servers', async () => {
    const referring = (host: string) => text(host === 'a.example' ? 'refer: b.example' : DATED);
    const inTime = await askWith(referring, { tookMs: 999 });
    expect(inTime.outcome).toMatchObject({ createdAt: '2024-05-06T00:00:00.000Z' });
    expect(inTime.requests.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 1]);
    expect(inTime.requests.map(({ request }) => new TextDecoder().decode(request))).toEqual([
      ...[`${DOMAIN}\r\n`, `${DOMAIN}\r\n`],
    ]);
    const late = await askWith(referring, { tookMs: 1000 });
    expect([late.outcome.code, late.requests.length]).toEqual(['timeout', 1]);
  });

  test('decodes UTF-8 if it is valid, and else Latin-1', async () => {
    expect((await askWith(() => text(`${DATED}Registrar: M\xfcller`))).outcome.registrar).toBe('Müller');
    expect((await askWith(() => text(`${DATED}Registrar: M\xc3\xbcller`))).outcome.registrar).toBe('Müller');
  });

  test('uses the facts of a truncated answer, and without facts reports a timeout or the size limit', async () => {
    const cut = (bytes: Uint8Array) => askWith(() => ({ bytes, truncated: true }));
    expect((await cut(Buffer.from(`${DATED}Registrar: A`))).outcome.registrar).toBe('A');
    expect((await cut(Buffer.alloc(BUDGET_BYTES - 1, '%'))).outcome.code).toBe('timeout');
    expect((await cut(Buffer.alloc(BUDGET_BYTES, '%'))).outcome.code).toBe('response_too_large');
    expect((await askWith(() => text('%'))).outcome.code).toBe('response_malformed');
  });

  test('pauses a server that refuses to answer for one minute', async () => {
    const { outcome } = await askWith(() => text('% Query rate limit exceeded.'));
    expect(outcome).toMatchObject({ code: 'registration_refused', pauseMs: 60_000 });
  });

  test('reports a domain that the server does not have as not found', async () => {
    expect((await askWith(() => text('No match for domain'))).outcome.code).toBe('registration_not_found');
  });

  test('ends with the check, also at the second server', async () => {
    const broken = (error: Error) =>
      askWith((host) => {
        if (host !== 'a.example') throw error;
        return text('Registrar: A\nRegistrar WHOIS Server: b.example');
      });
    expect((await broken(new FailureError('aborted'))).outcome.code).toBe('aborted');
    expect(`${(await broken(new TypeError('a fault'))).outcome}`).toBe('TypeError: a fault');
    expect((await broken(new FailureError('timeout'))).outcome.registrar).toBe('A');
  });
});
