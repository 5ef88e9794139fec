import { describe, expect, test } from 'bun:test';
import { systemClock } from '#src/core/base/clock.ts';
import { type FailureCode, FailureError } from '#src/core/base/failure.ts';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import { createCache } from '#src/network/egress/budget/cache.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { certificateProbe } from '#src/network/probes/certificate.ts';
import { dnsProbe } from '#src/network/probes/dns.ts';
import type { ProbeContext } from '#src/network/probes/index.ts';
import type { Probe } from '#src/network/probes/observations.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import { registrationProbe } from '#src/network/probes/registration.ts';
import { createRegistryThrottle } from '#src/network/probes/registry-throttle.ts';
import { createRegistryDirectory } from '#src/network/registry/directory.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';
import { BEHAVIOURS, type Behaviour } from '#test/support/tcp-behaviour.ts';
import { until } from '#test/support/until.ts';
import {
  ARENA_AUTHORITY_PEM,
  type Arena,
  dnsArena,
  pageArena,
  rdapArena,
  tlsArena,
  whoisArena,
} from './probe-arenas.ts';

/** What each probe must make of each behaviour: `ok`, or one of the failures. */
type Expectations = Readonly<Record<Behaviour, readonly ('ok' | FailureCode)[]>>;

const COMMON: Expectations = {
  success: ['ok'],
  refused: ['connection_refused'],
  silent: ['timeout'],
  reset: ['connection_reset'],
  oversized: ['response_too_large'],
  malformed: ['response_malformed'],
  aborted: ['aborted'],
  denied: ['egress_denied_name'],
};
const OVER_TLS: Partial<Expectations> = { malformed: ['tls_handshake_failed'] };

const SUITE: readonly {
  readonly name: string;
  readonly probe: Probe<unknown, ProbeContext>;
  readonly arena: (behaviour: Behaviour) => Promise<Arena>;
  readonly expected: Expectations;
  /** Where a limit of time is what ends it, for some of its questions at least. Default: silence. */
  readonly awaited?: readonly Behaviour[];
}[] = [
  { name: 'registration over WHOIS', probe: registrationProbe, arena: whoisArena, expected: COMMON },
  { name: 'registration over RDAP', probe: registrationProbe, arena: rdapArena, expected: { ...COMMON, ...OVER_TLS } },
  {
    name: 'certificate',
    probe: certificateProbe,
    arena: tlsArena,
    expected: { ...COMMON, ...OVER_TLS, oversized: ['tls_handshake_failed'] },
  },
  // A page that is too long is cut, and what came is judged.
  { name: 'page', probe: pageProbe, arena: pageArena, expected: { ...COMMON, oversized: ['ok'] } },
  {
    name: 'dns',
    probe: dnsProbe,
    arena: dnsArena,
    expected: {
      ...COMMON,
      refused: ['unreachable'],
      // Addresses past the limit are judged and then left out.
      oversized: ['ok'],
      // Who sends nonsense in place of the resolver must not keep the resolver's own answer away.
      malformed: ['timeout'],
    },
    awaited: ['silent', 'malformed', 'oversized'],
  },
];

const BUDGET_MS = 400;
/** More than one budget may pass one after the other: resolving, connecting, reading. */
const BUDGETS_MS = 5 * BUDGET_MS;

async function play(probe: Probe<unknown, ProbeContext>, arena: Arena, behaviour: Behaviour, budgetMs: number) {
  const settings = {
    ...arena.egress,
    egress_name: ['example'],
    connect_timeout_seconds: budgetMs / 1000,
    dns_timeout_seconds: budgetMs / 2000,
    body_bytes: 1 << 16,
    ...(behaviour === 'denied' ? { egress_allow: [] } : {}),
  };
  await using egress = openLoopback(arena.egress.egress_port ?? [], settings, [ARENA_AUTHORITY_PEM]);
  const context: ProbeContext = {
    egressClient: egress.client(),
    clock: systemClock,
    registries: createRegistryDirectory(
      { rdap: () => null, whois: () => null },
      { rdap_server: [], whois_server: [], registry_timeout_seconds: budgetMs / 1000, ...arena.registries },
    ),
    registryThrottle: createRegistryThrottle(systemClock),
    anchors: createTrustAnchors([], [ARENA_AUTHORITY_PEM]),
    provenAuthorities: createCache(8, systemClock),
    readPage: (bytes, source) => Promise.resolve(readPage(bytes, source)),
    pageTimeoutMs: 2 * budgetMs,
  };
  const controller = new AbortController();
  const observing = probe.observe(targetOf(arena.url), context, controller.signal).then(
    () => 'ok' as const,
    (error: unknown) => {
      if (error instanceof FailureError) return error.code;
      throw error;
    },
  );
  if (behaviour === 'aborted') {
    await until(() => arena.reached() > 0);
    controller.abort();
  }
  return await observing;
}

for (const { name, probe, arena: start, expected, awaited = ['silent'] } of SUITE) {
  describe(name, () => {
    test.each(BEHAVIOURS)('%s', async (behaviour) => {
      await using arena = await start(behaviour);
      const budgetMs = awaited.includes(behaviour) ? BUDGET_MS : PATIENT_MS;
      const { result, loopMs } = await timed(() => play(probe, arena, behaviour, budgetMs));
      expect(expected[behaviour]).toContain(result);
      expect(loopMs).toBeLessThan(BUDGETS_MS);
      await until(() => arena.openSockets() === 0);
      // Nothing of a name that may not be reached is dialled; the resolver itself is no such name.
      if (behaviour === 'denied' && probe !== dnsProbe) expect(arena.reached()).toBe(0);
      if (behaviour === 'aborted') expect(arena.reached()).toBeGreaterThan(0);
    });
  });
}
