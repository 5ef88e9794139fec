import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/base/failure.ts';
import type { Door } from '#src/egress/door.ts';
import { askWhois } from '#src/probes/whois.ts';
import { registryName, whoisQuery } from '#src/registry/query.ts';
import { serveDns } from '#test/egress/dns-server.ts';
import { openLoopback } from '#test/egress/loopback.ts';
import { serveScript } from '#test/egress/script-server.ts';
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
      const tools = { door: egress.door(), clock: fixedClock, timeoutMs: PATIENT_MS };
      const { signal } = new AbortController();

      const result = await askWhois({ host: SERVER, port: server.port }, DOMAIN, tools, signal).then(
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
  /** A door behind which each WHOIS server says what the table holds. */
  const doorTo = (answers: Readonly<Record<string, string>>) => {
    const asked: string[] = [];
    const exchange: Door['exchange'] = ({ host, port, maxBytes }) => {
      asked.push(`${host}:${port}`);
      expect(maxBytes).toBe(BUDGET_BYTES);
      const answer = answers[host];
      if (answer === undefined) return Promise.reject(new FailureError('egress_denied'));
      return Promise.resolve({ address: '192.0.2.1', bytes: new TextEncoder().encode(answer), truncated: false });
    };
    return { asked, tools: { door: { exchange }, clock: fixedClock, timeoutMs: PATIENT_MS } };
  };
  const ask = (tools: Parameters<typeof askWhois>[2]) =>
    askWhois({ host: 'a.example', port: 4343 }, DOMAIN, tools, new AbortController().signal);

  test('go to port 43 alone, and end after three servers', async () => {
    const { asked, tools } = doorTo({
      'a.example': 'refer: b.example',
      'b.example': 'Registrar: B\nRegistrar WHOIS Server: c.example',
      'c.example': 'Registrar: C\nRegistrar WHOIS Server: d.example',
      'd.example': 'Creation Date: 2024-05-06',
    });
    expect((await ask(tools)).registrar).toBe('B');
    expect(asked).toEqual(['a.example:4343', 'b.example:43', 'c.example:43']);
  });

  test('are not followed where the date is known, and never twice to one server', async () => {
    const known = doorTo({ 'a.example': 'Creation Date: 2024-05-06\nRegistrar WHOIS Server: b.example' });
    expect((await ask(known.tools)).createdAt).toBe('2024-05-06T00:00:00.000Z');
    expect(known.asked).toHaveLength(1);
    const circle = doorTo({ 'a.example': 'refer: b.example', 'b.example': 'refer: a.example' });
    await expect(ask(circle.tools)).rejects.toMatchObject({ code: 'response_malformed' });
    expect(circle.asked).toHaveLength(2);
  });

  test('add what the first server left open, and take nothing back', async () => {
    const { tools } = doorTo({
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

  test('that lead nowhere leave what is known', async () => {
    const { tools } = doorTo({ 'a.example': 'Registrar: A\nRegistrar WHOIS Server: b.example' });
    expect((await ask(tools)).registrar).toBe('A');
  });
});
