import { describe, expect, test } from 'bun:test';
import { parseCidr } from '#src/core/base/addresses/ip.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { dnsProbe } from '#src/network/probes/dns.ts';
import type { DnsRecords } from '#src/network/probes/observations.ts';
import { type DnsAction, serveDns } from '#test/network/egress/dns-server.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { targetOf } from '#test/support/target.ts';
import vectors from '#test/vectors/dns.json' with { type: 'json' };

/** The records of `http://www.site.test/` as a resolver that does `act` gives them, or the failure's code and reason. */
async function look(
  act: (name: string, type: string) => DnsAction,
  url = 'http://www.site.test/',
): Promise<DnsRecords | string> {
  await using server = await serveDns(({ name, type }) => act(name, type));
  await using egress = openLoopback([], { dns_server: [server.endpoint], dns_timeout_seconds: 0.1, egress_allow: [] });
  return await dnsProbe
    .observe(targetOf(url), { egressClient: egress.client() }, new AbortController().signal)
    .catch((error) => {
      if (error instanceof FailureError) return error.code.startsWith('egress_denied') ? error.message : error.code;
      throw error;
    });
}

const one = (type: string, data: unknown): DnsAction => ({ answers: [{ name: '@', type, ttl: 300, data }] });
const soa = { primary: 'ns1.test', contact: 'admin.site.test', serial: 7, refresh: 1, retry: 1, expire: 1, minimum: 1 };

/** A zone with one record of each kind; what the host and its domain have differs. */
const ZONE: Record<string, DnsAction> = {
  'www.site.test A': one('A', '93.184.215.14'),
  'www.site.test AAAA': one('AAAA', '2606:4700:4700::1111'),
  'site.test NS': one('NS', 'NS1.test'),
  'site.test MX': one('MX', { preference: 10, exchange: 'mail.test' }),
  'site.test SOA': one('SOA', soa),
  'site.test TXT': {
    answers: [['other'], ['v=spf1 ', '-all']].map((data) => ({ name: '@', type: 'TXT', ttl: 1, data })),
  },
  'site.test CAA': one('CAA', { flags: 128, tag: 'Issue', value: 'ca.test' }),
  '_dmarc.site.test TXT': one('TXT', 'v=DMARC1; p=reject'),
};

describe('the DNS probe', () => {
  test('queries the addresses of the host and the records of its domain', async () => {
    expect(await look((name, type) => ({ ...ZONE[`${name} ${type}`], ad: true }))).toEqual({
      a: [{ address: '93.184.215.14', ttlSeconds: 300 }],
      aaaa: [{ address: '2606:4700:4700::1111', ttlSeconds: 300 }],
      cname: [],
      ns: ['ns1.test'],
      mx: [{ preference: 10, exchange: 'mail.test' }],
      soa: { primary: 'ns1.test', contact: 'admin.site.test', serial: 7 },
      txt: ['other', 'v=spf1 -all'],
      caa: [{ flags: 128, tag: 'issue', value: 'ca.test' }],
      spf: 'v=spf1 -all',
      dmarc: 'v=DMARC1; p=reject',
      authenticated: true,
      unanswered: [],
    });
  });

  test('recognizes SPF and DMARC policies by their first term', async () => {
    const policiesOf = async (spf: string, dmarc: string) => {
      const records = await look((name, type) =>
        type === 'TXT' ? one('TXT', name.startsWith('_dmarc') ? dmarc : spf) : (ZONE[`${name} ${type}`] ?? {}),
      );
      return typeof records === 'string' ? records : [records.spf, records.dmarc];
    };
    const known = [
      ['v=spf1', 'v=DMARC1'],
      ['V=SPF1 -all', 'v=DMARC1 ; p=none'],
    ] as const;
    for (const [spf, dmarc] of known) expect(await policiesOf(spf, dmarc)).toEqual([spf, dmarc]);
    const others = [
      ['v=spf10 -all', 'v=DMARC10; p=none'],
      ['xv=spf1 -all', 'xv=DMARC1; p=none'],
      ['v=spf1-all', 'v=dmarc1; p=none'],
    ] as const;
    for (const [spf, dmarc] of others) expect(await policiesOf(spf, dmarc)).toEqual([null, null]);
  });

  test('does not apply to an IP address', () => {
    const urls = ['http://192.0.2.1/', 'http://[2001:db8::1]/', 'http://www.site.test/'];
    expect(urls.map((url) => dnsProbe.applies(targetOf(url)))).toEqual([false, false, true]);
  });

  test('queries the records of the name itself if it has no domain', async () => {
    const asked = new Set<string>();
    await look((name, type) => {
      asked.add(`${name} ${type}`);
      return one('A', '93.184.215.14');
    }, 'http://github.io/');
    expect([...asked]).toContain('github.io MX');
    expect([...asked]).toContain('_dmarc.github.io TXT');
  });

  test('returns one address family if the query for the other one fails', async () => {
    const silent = await look((name, type) =>
      type === 'AAAA' ? { rcode: 'SERVFAIL' } : (ZONE[`${name} ${type}`] ?? {}),
    );
    expect(silent).toMatchObject({ a: [{ address: '93.184.215.14' }], aaaa: [], unanswered: ['AAAA'] });
    const other = await look((name, type) => (type === 'A' ? { rcode: 'SERVFAIL' } : (ZONE[`${name} ${type}`] ?? {})));
    expect(other).toMatchObject({ aaaa: [{ address: '2606:4700:4700::1111' }], a: [], unanswered: ['A'] });
  });

  test('rethrows an internal error', async () => {
    const egressClient = { lookup: () => Promise.reject(new TypeError('a fault')) };
    const observing = dnsProbe.observe(targetOf('http://a.example/'), { egressClient }, new AbortController().signal);
    await expect(observing).rejects.toThrow('a fault');
  });

  test('distinguishes a name without addresses from a name that does not exist', async () => {
    expect(await look(() => ({}))).toMatchObject({ a: [], aaaa: [], unanswered: [] });
    expect(await look(() => ({ rcode: 'NXDOMAIN' }))).toBe('dns_nxdomain');
  });

  test('returns an alias to a name that does not exist', async () => {
    const dangling = { rcode: 'NXDOMAIN', answers: [{ name: '@', type: 'CNAME', ttl: 60, data: 'gone.test' }] };
    expect(await look(() => dangling)).toMatchObject({ cname: ['gone.test'], a: [] });
  });

  test('reports the queries that have no answer', async () => {
    const records = await look((name, type) => {
      if (type === 'TXT') return { rcode: 'SERVFAIL' };
      return type === 'MX' ? { drop: true } : (ZONE[`${name} ${type}`] ?? {});
    });
    expect(records).toMatchObject({ spf: null, mx: [], unanswered: ['MX', 'TXT', 'DMARC'] });
  });

  test('fails with the resolver failure if the host has no answer', async () => {
    expect(await look(() => ({ rcode: 'SERVFAIL' }))).toBe('dns_server_failure');
    expect(await look(() => ({ rcode: 'REFUSED' }))).toBe('dns_refused');
    expect(await look(() => ({ drop: true }))).toBe('timeout');
    expect(await look(() => ({ rawAnswer: 'rdlong' }))).toBe('dns_malformed');
  });

  test('returns at most 64 records', async () => {
    const many = { type: 'A', base: '93.184.', count: 1200 };
    const records = await look((_, type) => (type === 'A' ? { answersRepeat: many } : {}));
    expect(typeof records === 'string' ? records : records.a.length).toBe(64);
  });
});

describe('addresses that the policy denies', () => {
  for (const { id, qtype, reply, expect: expected } of vectors.vectors) {
    if (!('egress' in expected) || !String(expected.egress).startsWith('denied')) continue;
    test(`${id}: ${expected.egress}`, async () => {
      const { udp, aaaa } = reply as { udp: DnsAction; aaaa?: DnsAction };
      const found = await look(
        (_, type) => (type === qtype ? udp : type === 'AAAA' && aaaa ? aaaa : {}),
        'http://a.example.net/',
      );
      expect(found).toStartWith(`${String(expected.egress).slice('denied:'.length)}: `);
    });
  }

  test('are reported as mixed if public ones exist too, in one answer or across both families', async () => {
    const v4 = (...data: readonly string[]) => ({
      answers: data.map((one) => ({ name: '@', type: 'A', ttl: 60, data: one })),
    });
    const v6 = (data: string) => ({ answers: [{ name: '@', type: 'AAAA', ttl: 60, data }] });
    const code = async (a: DnsAction, aaaa: DnsAction) => {
      await using server = await serveDns(({ type }) => (type === 'A' ? a : type === 'AAAA' ? aaaa : {}));
      await using egress = openLoopback([], { dns_server: [server.endpoint], egress_allow: [] });
      const egressClient = egress.client();
      const observing = dnsProbe.observe(
        targetOf('http://a.example.net/'),
        { egressClient },
        new AbortController().signal,
      );
      return await observing.catch((error) => (error instanceof FailureError ? error.code : 'fault'));
    };
    expect(await code(v4('93.184.215.14', '10.0.0.1'), {})).toBe('egress_denied_mixed');
    expect(await code(v4('93.184.215.14'), v6('::1'))).toBe('egress_denied_mixed');
    expect(await code(v4('10.0.0.1'), v6('2606:4700:4700::1111'))).toBe('egress_denied_mixed');
    expect(await code(v4('10.0.0.1', '10.0.0.2'), v6('fd00::1'))).toBe('egress_denied_name');
  });

  test('are not reported as mixed if the operator denied those of one family', async () => {
    const closed = parseCidr('93.184.215.0/24');
    if (typeof closed === 'string') throw new Error(closed);
    await using server = await serveDns(({ type }) =>
      type === 'A' ? one('A', '93.184.215.14') : type === 'AAAA' ? one('AAAA', '2606:4700:4700::1111') : {},
    );
    const settings = { dns_server: [server.endpoint], egress_allow: [], egress_deny: [closed] };
    await using egress = openLoopback([], settings);
    const observing = dnsProbe.observe(
      targetOf('http://a.example.net/'),
      { egressClient: egress.client() },
      new AbortController().signal,
    );
    await expect(observing).rejects.toMatchObject({ code: 'egress_denied_name' });
  });

  test('deny the name even after the 64th address', async () => {
    const answers = Array.from({ length: 100 }, (_, i) => ({
      name: '@',
      type: 'A',
      ttl: 60,
      data: i < 99 ? `93.184.215.${i}` : '10.0.0.1',
    }));
    expect(await look((_, type) => (type === 'A' ? { answers, tc: false } : {}))).toStartWith(
      'private: www.site.test resolves to 10.0.0.1',
    );
  });
});

describe('names that must not be queried', () => {
  for (const { id, qname } of vectors.vectors.filter(({ group }) => group === 'query-name')) {
    test(`${id} is refused before any query`, async () => {
      await using server = await serveDns(() => ({}));
      await using egress = openLoopback([], { dns_server: [server.endpoint] });
      const lookup = egress.client().lookup(qname, 'A', new AbortController().signal);
      await expect(lookup).rejects.toMatchObject({ code: 'egress_denied' });
      expect(server.queries).toEqual([]);
    });
  }
});
