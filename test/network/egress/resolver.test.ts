import { describe, expect, test } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { FailureError } from '#src/core/base/failure.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { createEgressCompartment } from '#src/network/egress/compartment.ts';
import type { FullAnswer } from '#src/network/egress/dns/answer.ts';
import type { DnsType } from '#src/network/egress/dns/message.ts';
import { createResolver } from '#src/network/egress/dns/resolver.ts';
import { openDnsUpstream } from '#src/network/egress/dns/upstream.ts';
import type { Endpoint } from '#src/network/egress/endpoint.ts';
import { EGRESS_SETTINGS, type EgressSettings } from '#src/network/egress/settings.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_SECONDS } from '#test/support/patience.ts';
import vectors from '#test/vectors/dns.json' with { type: 'json' };
import { type DnsAction, serveDns } from './dns-server.ts';
import type { ScriptedRecord } from './dns-wire.ts';
import { LATENESS_MS } from './lateness.ts';

const signal = new AbortController().signal;
/** How long a test waits for a resolver that says nothing. */
const BRIEF_SECONDS = 0.3;

/** A resolver with a compartment and an upstream of its own. */
function open(endpoint: Endpoint, more: Partial<EgressSettings> = {}, clock = systemClock) {
  const own = { dns_server: [endpoint], dns_timeout_seconds: PATIENT_SECONDS, ...more };
  const settings = { ...defaultsOf(EGRESS_SETTINGS), ...own };
  const logged: string[] = [];
  const logger = createLogger('warn', (line) => logged.push(JSON.parse(line).event));
  const upstream = openDnsUpstream(settings, { clock, logger });
  return {
    ...createResolver(upstream, createEgressCompartment(settings, clock)),
    isResting: upstream.circuit.isOpen,
    logged,
    [Symbol.dispose]: () => upstream[Symbol.dispose](),
  };
}

/** A vector's reply has members that only some of them use; the keys are those of `DnsAction` and these. */
type VectorReply = DnsAction & { dropFirst?: number; sequence?: ScriptedRecord[][] };

function play(reply: { udp: unknown; tcp?: unknown; aaaa?: unknown }) {
  let seen = 0;
  return ({ type, transport }: { type: string; transport: 'udp' | 'tcp' }): DnsAction => {
    const script = (transport === 'tcp' ? reply.tcp : type === 'AAAA' && reply.aaaa) || reply.udp;
    const { dropFirst = 0, sequence, ...action } = script as VectorReply;
    const answers = sequence?.[Math.min(seen, sequence.length - 1)];
    return { ...action, ...(answers && { answers }), drop: action.drop === true || seen++ < dropFirst };
  };
}

/** What the vectors call our failures. */
const ERRORS: Record<string, string> = {
  ETIMEOUT: 'timeout',
  ECNAMELOOP: 'dns_chain_too_long',
  ECNAMEDEPTH: 'dns_chain_too_long',
  EBADRESP: 'dns_malformed',
};
const isType = (text: string): text is DnsType =>
  ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'SOA', 'TXT', 'CAA'].includes(text);

async function outcome(run: Promise<FullAnswer<DnsType>>): Promise<FullAnswer<DnsType> | string> {
  return await run.catch((error) => {
    if (error instanceof FailureError) return error.code;
    throw error;
  });
}

describe('a hostile name server', () => {
  // Names that must not be asked for are refused by the policy, in front of the resolver.
  for (const vector of vectors.vectors.filter(({ group }) => group !== 'query-name')) {
    const { id, qname, qtype, expect: expected } = vector;
    test(`${id}: ${JSON.stringify(expected).slice(0, 90)}`, async () => {
      if (!isType(qtype)) throw new Error(qtype);
      await using server = await serveDns(play(vector.reply));
      const isAwaited = 'maxMs' in expected || 'dropFirst' in vector.reply.udp;
      using resolver = open(server.endpoint, isAwaited ? { dns_timeout_seconds: BRIEF_SECONDS } : {});
      const { result: got, loopMs } = await timed(() => outcome(resolver.resolve(qname, qtype, signal)));
      if ('maxMs' in expected) expect(loopMs).toBeLessThan(Number(expected.maxMs) + LATENESS_MS);
      if ('error' in expected) {
        const allowed = [expected.error].flat().map((name) => ERRORS[String(name)]);
        expect(allowed).toContain(got as string);
        return;
      }
      if (typeof got === 'string') throw new Error(got);
      if ('rcodeNot' in expected) expect<string>(got.rcode).not.toBe(String(expected.rcodeNot));
      else expect<string>(got.rcode).toBe(String(expected.rcode));
      if ('count' in expected) expect(got.records.length).toBe(Number(expected.count));
      if ('chain' in expected) expect<unknown>(got.chain).toEqual(expected.chain);
      if ('joined' in expected) expect<unknown>(got.records.map(({ data }) => data)).toEqual(expected.joined);
      if ('ttl' in expected) expect(got.records[0]?.ttlSeconds).toBe(Number(expected.ttl));
      if ('via' in expected) expect(server.queries.at(-1)).toEndWith(String(expected.via));
    });
  }
});

test('questions of one turn share a port, each with its own answer, and later ones have another', async () => {
  const ports = new Map<string, number>();
  await using server = await serveDns(({ name, port }) => {
    ports.set(name, port);
    // The first is answered last.
    return { answers: [{ name, type: 'TXT', ttl: 0, data: [name] }], delayMs: name.startsWith('a') ? 20 : 0 };
  });
  using resolver = open(server.endpoint);
  const ask = async (name: string) => (await resolver.resolve(name, 'TXT', signal)).records.map(({ data }) => data);
  const names = ['a.example.net', 'b.example.net', 'c.example.net'];
  expect(await Promise.all(names.map(ask))).toEqual(names.map((name) => [name]));
  expect(await ask('later.example.net')).toEqual(['later.example.net']);
  const [first, second, third] = names.map((name) => ports.get(name));
  expect([second, third]).toEqual([first, first]);
  expect(ports.get('later.example.net')).not.toBe(first);
});

test('questions of one turn fail together if their resolver cannot be reached', async () => {
  const server = await serveDns(() => ({ drop: true }));
  await server[Symbol.asyncDispose]();
  using resolver = open(server.endpoint);
  const names = ['a.example.net', 'b.example.net'];
  const got = await Promise.all(names.map((name) => outcome(resolver.resolve(name, 'A', signal))));
  expect(got).toEqual(['unreachable', 'unreachable']);
});

describe('the DNS cache', () => {
  const answering = (ttl: number) => serveDns(() => ({ answers: [{ name: '@', type: 'A', ttl, data: '192.0.2.1' }] }));

  test('stores an answer for its TTL', async () => {
    let nowMs = 0;
    await using server = await answering(60);
    using resolver = open(server.endpoint, {}, { now: () => nowMs, monotonicMs: () => nowMs });
    for (const [atMs, queries] of [
      [0, 1],
      [59_999, 1],
      [60_000, 2],
      [61_000, 2],
    ] as const) {
      nowMs = atMs;
      await resolver.resolve('a.example.net', 'A', signal);
      expect(server.queries.length).toBe(queries);
    }
  });

  test('does not store an answer with TTL 0', async () => {
    await using server = await answering(0);
    using resolver = open(server.endpoint);
    for (const _ of [1, 2]) await resolver.resolve('a.example.net', 'A', signal);
    expect(server.queries.length).toBe(2);
  });

  test('stores NXDOMAIN for the negative TTL of the zone, and not without an SOA record', async () => {
    const soa = { primary: 'ns', contact: 'x', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 };
    for (const [authority, queries] of [
      [[{ name: 'net', type: 'SOA', ttl: 60, data: soa }], 1],
      [[], 2],
    ] as const) {
      await using server = await serveDns(() => ({ rcode: 'NXDOMAIN', authority }));
      using resolver = open(server.endpoint);
      for (const _ of [1, 2]) expect((await resolver.resolve('a.example.net', 'A', signal)).rcode).toBe('NXDOMAIN');
      expect(server.queries.length).toBe(queries);
    }
  });

  test('shares one pending answer between equal queries', async () => {
    await using server = await answering(0);
    using resolver = open(server.endpoint);
    await Promise.all([1, 2, 3].map(() => resolver.resolve('a.example.net', 'A', signal)));
    expect(server.queries.length).toBe(1);
  });
});

test('an answer that is truncated even over TCP is refused, even if it has records', async () => {
  const answers = [{ name: '@', type: 'A', ttl: 60, data: '192.0.2.1' }];
  await using server = await serveDns(() => ({ tc: true, answers }));
  using resolver = open(server.endpoint);
  await expect(resolver.resolve('a.example.net', 'A', signal)).rejects.toMatchObject({ code: 'dns_malformed' });
  expect(server.queries).toContain('a.example.net A tcp');
});

test('retries without EDNS if a resolver does not support it', async () => {
  const answers = [{ name: '@', type: 'A', ttl: 60, data: '192.0.2.1' }];
  await using server = await serveDns(({ hasEdns }) => (hasEdns ? { rcode: 'FORMERR' } : { answers }));
  using resolver = open(server.endpoint);
  expect(await resolver.resolve('a.example.net', 'A', signal)).toMatchObject({ rcode: 'NOERROR' });
  await using hopeless = await serveDns(() => ({ rcode: 'FORMERR' }));
  using other = open(hopeless.endpoint);
  expect(await other.resolve('a.example.net', 'A', signal)).toMatchObject({ rcode: 'FORMERR' });
});

describe('several resolvers', () => {
  /** Asks one first of which there is nothing to be had, and then one that knows. */
  async function expectGoodAfter(bad: Endpoint, dns_timeout_seconds = PATIENT_SECONDS) {
    const answers = [{ name: '@', type: 'A', ttl: 60, data: '192.0.2.1' }];
    await using good = await serveDns(() => ({ ad: true, answers }));
    using resolver = open(bad, { dns_server: [bad, good.endpoint], dns_timeout_seconds });
    const answer = await resolver.resolve('a.example.net', 'A', signal);
    expect(answer).toMatchObject({ rcode: 'NOERROR', authenticated: true });
  }

  test('are queried in order if one is unreachable or silent', async () => {
    await using silent = await serveDns(() => ({ drop: true }));
    await expectGoodAfter(silent.endpoint, BRIEF_SECONDS);
    await expectGoodAfter({ address: '127.0.0.1', port: 1 });
  });

  test.each(['SERVFAIL', 'REFUSED', 'NOTIMP'])('are queried in order if one returns %s', async (rcode) => {
    await using unwilling = await serveDns(() => ({ rcode }));
    await expectGoodAfter(unwilling.endpoint);
  });
});

test('the error of one resolver is returned if the next one does not answer at all', async () => {
  await using failing = await serveDns(() => ({ rcode: 'SERVFAIL' }));
  using resolver = open(failing.endpoint, { dns_server: [failing.endpoint, { address: '127.0.0.1', port: 1 }] });
  expect(await resolver.resolve('a.example.net', 'A', signal)).toMatchObject({ rcode: 'SERVFAIL' });
});

const GOOD = { rcode: 'NOERROR' };

describe('a silent resolver', () => {
  test('delays one lookup until its timeout, and fails others at once until it answers again', async () => {
    let isSilent = true;
    await using server = await serveDns(() =>
      isSilent ? { drop: true } : { answers: [{ name: '@', type: 'A', ttl: 0, data: '192.0.2.1' }] },
    );
    let nowMs = 0;
    const clock = { now: () => nowMs, monotonicMs: () => nowMs };
    using resolver = open(server.endpoint, { dns_timeout_seconds: BRIEF_SECONDS }, clock);
    expect(await outcome(resolver.resolve('a.example.net', 'A', signal))).toBe('timeout');
    expect(resolver.isResting()).toBeTrue();
    const asked = server.queries.length;
    expect(await outcome(resolver.resolve('b.example.net', 'A', signal))).toBe('unreachable');
    expect(server.queries.length).toBe(asked);

    // Who asks at the end of the rest is refused as well, and tries it for the others.
    isSilent = false;
    nowMs += 1000;
    expect(await outcome(resolver.resolve('c.example.net', 'A', signal))).toBe('unreachable');
    while (resolver.isResting()) await new Promise(setImmediate);
    expect(server.queries.filter((query) => query.startsWith('b.'))).toEqual([]);
    while (!server.queries.includes('c.example.net A udp')) await new Promise(setImmediate);
    expect(await resolver.resolve('b.example.net', 'A', signal)).toMatchObject({ rcode: 'NOERROR' });
    expect(resolver.logged).toEqual(['dns.resting', 'dns.answering']);
  });

  test('is not assumed if only the requested name times out', async () => {
    await using server = await serveDns(({ name }) => (name === '' ? {} : { drop: true }));
    using resolver = open(server.endpoint, { dns_timeout_seconds: BRIEF_SECONDS });
    for (const name of ['a.example.net', 'b.example.net', 'c.example.net']) {
      expect(await outcome(resolver.resolve(name, 'A', signal))).toBe('timeout');
      expect(resolver.isResting()).toBeFalse();
    }
  });

  // Some filters drop questions about the root, against amplification, and a resolver may drop all that is neutral.
  test.each([
    ['the root', ['']],
    ['the root and its zones', ['', 'com']],
    ['every neutral name', ['', 'com', 'localhost']],
  ])('is not assumed if queries about %s are dropped while others are answered', async (_, dropped) => {
    const answers = [{ name: '@', type: 'A', ttl: 0, data: '192.0.2.1' }];
    await using server = await serveDns(({ name }) =>
      dropped.includes(name) || name.startsWith('dead') ? { drop: true } : { answers },
    );
    using resolver = open(server.endpoint, { dns_timeout_seconds: BRIEF_SECONDS });
    expect(await outcome(resolver.resolve('first.example.net', 'A', signal))).toMatchObject(GOOD);
    for (const n of [1, 2, 3]) {
      expect(await outcome(resolver.resolve(`dead${n}.example.net`, 'A', signal))).toBe('timeout');
      expect(resolver.isResting()).toBeFalse();
      expect(await outcome(resolver.resolve(`other${n}.example.net`, 'A', signal))).toMatchObject(GOOD);
    }
    expect(resolver.logged).toEqual([]);
  });
});
