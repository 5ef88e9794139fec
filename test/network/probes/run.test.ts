import { describe, expect, test } from 'bun:test';
import { DAY_MS, systemClock } from '#src/core/base/clock.ts';
import { createLogger, type LogLevel } from '#src/core/base/logger.ts';
import { defaultsOf } from '#src/core/base/settings/setting.ts';
import { type TraceStep, traceTo } from '#src/core/base/traced.ts';
import { createTrustAnchors } from '#src/network/certificate/path.ts';
import { PUBLIC_AUTHORITIES } from '#src/network/egress/egress.ts';
import { EGRESS_SETTINGS, type EgressSettings } from '#src/network/egress/settings.ts';
import { readPage } from '#src/network/html/read-page.ts';
import {
  createPrivateProbeLog,
  createProbeCompartment,
  createPublicProbeLog,
} from '#src/network/probes/compartment.ts';
import { createProbeRunner, type ProbeHooks, type ProbeRunnerParts } from '#src/network/probes/run.ts';
import { createRegistryDirectory } from '#src/network/registry/directory.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { LATENESS_MS } from '#test/network/egress/lateness.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';

function openContext(internet: Internet): ProbeRunnerParts['context'] {
  return {
    clock: systemClock,
    registries: createRegistryDirectory({ rdap: () => null, whois: () => null }, internet.registries),
    anchors: createTrustAnchors(PUBLIC_AUTHORITIES, [internet.authority.pem]),
    readPage: async (bytes, source) => readPage(bytes, source),
  };
}

/** How the checks of one compartment look at targets in a small internet, and what is logged of them. */
function openRunner(
  internet: Internet,
  parts: Partial<ProbeRunnerParts> = {},
  settings: Partial<EgressSettings> = {},
  { createLog = createPublicProbeLog, deadlineMs = PATIENT_MS } = {},
) {
  const lines: string[] = [];
  const egress = internet.open(settings);
  const run = createProbeRunner({
    egress,
    context: openContext(internet),
    lists: { block: [], allow: [], stored: [] },
    off: [],
    clock: systemClock,
    ...parts,
  });
  const log = createLog(createLogger('debug' satisfies LogLevel, (line) => lines.push(line)));
  const compartment = createProbeCompartment(defaultsOf(EGRESS_SETTINGS), parts.clock ?? systemClock, log);
  return {
    look: (url: string, onProbe?: ProbeHooks['onProbe'], traced?: ProbeHooks['traced']) =>
      run(targetOf(url), compartment, deadlineMs, { onProbe, traced }),
    lines,
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  };
}

describe('a check of an ordinary site', () => {
  test('is observed by all probes, as plain JSON', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet);
    const stages: string[] = [];
    const seen = await runner.look(internet.url('shop.example'), (stage) => stages.push(stage));
    expect(seen).toMatchObject({
      dns: { state: 'observed', value: { a: [{ address: internet.addressOf('shop.example') }], unanswered: [] } },
      registration: { state: 'observed', value: { domain: 'shop.example', source: 'rdap' } },
      certificate: { state: 'observed', value: { subject: 'CN=shop.example' } },
      page: { state: 'observed', value: { statusCode: 200, document: { title: 'shop.example' }, stopped: null } },
      landing: null,
    });
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen as never);
    expect(stages.sort()).toEqual(['certificate', 'dns', 'page', 'registration']);
    expect(runner.lines).toEqual([]);
  });

  test('reports each network step to its trace', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet);
    const stepsOf = async () => {
      const steps: TraceStep[] = [];
      await runner.look(
        internet.url('shop.example'),
        undefined,
        traceTo((step) => steps.push(step), systemClock),
      );
      return steps;
    };
    const steps = await stepsOf();
    const address = `${internet.addressOf('shop.example')}:${new URL(internet.url('shop.example')).port || 443}`;
    expect(steps).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ step: 'dns', subject: 'shop.example A', outcome: 'ok', detail: 'NOERROR, 1 record' }),
        expect.objectContaining({ step: 'connection', subject: address, outcome: 'ok', detail: '' }),
        expect.objectContaining({ step: 'tls', subject: 'shop.example', detail: 'TLSv1.3, trusted' }),
        expect.objectContaining({ step: 'http', subject: internet.url('shop.example') }),
        expect.objectContaining({ step: 'read', subject: internet.url('shop.example') }),
        expect.objectContaining({ step: 'probe', subject: 'registration of shop.example', detail: '' }),
      ]),
    );
    // What a probe does happens within it.
    const page = steps.find(({ subject }) => subject === 'page of shop.example');
    const read = steps.find(({ step }) => step === 'read');
    expect(read?.startedMs).toBeGreaterThanOrEqual(page?.startedMs ?? Number.POSITIVE_INFINITY);
    expect(read?.endedMs).toBeLessThanOrEqual(page?.endedMs ?? 0);
    expect(await stepsOf()).toContainEqual(
      expect.objectContaining({ subject: 'registration of shop.example', detail: 'kept from an earlier check' }),
    );
  });

  test('queries the registry and the certificate once a day', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet);
    const first = await runner.look(internet.url('shop.example'));
    const again = await runner.look(internet.url('shop.example'));
    expect(internet.visits.filter((line) => line.startsWith('rdap'))).toEqual(['rdap shop.example']);
    expect(values(again)).toEqual(values(first) as never);
  });
});

test('evaluates stored facts at the time of each check', async () => {
  const [openedMs, hourMs] = [Date.now(), 3_600_000];
  await using internet = await startInternet({
    'shop.example': {
      registration: { created: new Date(openedMs - 7 * DAY_MS + 6 * hourMs).toISOString() },
      certificate: { notBeforeMs: openedMs - 0.5 * DAY_MS, notAfterMs: openedMs + 0.5 * DAY_MS },
    },
  });
  let laterMs = 0;
  const clock = { now: () => openedMs + laterMs, monotonicMs: () => systemClock.monotonicMs() + laterMs };
  await using runner = openRunner(internet, { clock });
  const look = async (hours: number) => {
    laterMs = hours * hourMs;
    const { registration, certificate } = await runner.look(internet.url('shop.example'));
    return [registration, certificate].map((seen) => (seen.state === 'observed' ? seen.value : seen));
  };
  expect(await look(0)).toMatchObject([{ ageDays: 6 }, { trusted: true, ageDays: 0, daysRemaining: 0 }]);
  // In the same day: nobody is asked again, but the domain is a week old by then, and the certificate has run out.
  expect(await look(23)).toMatchObject([
    { ageDays: 7 },
    { trusted: false, faults: ['expired'], ageDays: 1, daysRemaining: -1 },
  ]);
  expect(internet.visits.filter((line) => line.startsWith('rdap'))).toEqual(['rdap shop.example']);
});

/** What was seen, without how long it took. */
const values = (seen: object) => JSON.parse(JSON.stringify(seen), (key, value) => (key === 'elapsedMs' ? 0 : value));

describe('a visit that ends on another site', () => {
  const sites = {
    'short.example': {
      answer: (_: string, url: (name: string) => string) => ({
        status: 302,
        headers: { Location: url('www.landing.example') },
      }),
    },
    'www.landing.example': {},
  };

  test('does not probe a landing host of the same site, and reports no stages of a landing host', async () => {
    await using internet = await startInternet({
      ...sites,
      'moved.example': {
        answer: (_: string, url: (name: string) => string) => ({
          status: 302,
          headers: { Location: url('www.moved.example') },
        }),
      },
      'www.moved.example': {},
    });
    await using runner = openRunner(internet);
    expect((await runner.look(internet.url('moved.example'))).landing).toBeNull();
    const stages: string[] = [];
    await runner.look(internet.url('short.example'), (stage) => stages.push(stage));
    expect(stages.sort()).toEqual(['certificate', 'dns', 'page', 'registration']);
  });

  test('probes the landing host too', async () => {
    await using internet = await startInternet(sites);
    await using runner = openRunner(internet);
    const seen = await runner.look(internet.url('short.example'));
    expect(seen.landing).toMatchObject({
      host: 'www.landing.example',
      dns: { state: 'observed' },
      registration: { state: 'observed', value: { domain: 'landing.example' } },
      certificate: { state: 'observed', value: { subject: 'CN=www.landing.example' } },
    });
  });
});

describe('restricted probes', () => {
  test('without a network, every probe is disabled and nothing is queried', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using dns = await serveDns(() => ({}));
    await using runner = openRunner(internet, {}, { network: 'none', dns_server: [dns.endpoint] });
    const disabled = { state: 'skipped', reason: 'disabled' } as const;
    expect(await runner.look(internet.url('shop.example'))).toEqual({
      dns: disabled,
      registration: disabled,
      certificate: disabled,
      page: disabled,
      lists: disabled,
      landing: null,
    });
    expect([...internet.visits, ...dns.queries]).toEqual([]);
  });

  test('with network dns, only the resolver is queried', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, {}, { network: 'dns' });
    expect(await runner.look(internet.url('shop.example'))).toMatchObject({
      dns: { state: 'observed' },
      registration: { reason: 'disabled' },
      certificate: { reason: 'disabled' },
      page: { reason: 'disabled' },
    });
    expect(internet.visits).toEqual([]);
  });

  test('each probe can be disabled', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, { off: ['page', 'dns'] });
    const seen = await runner.look(internet.url('shop.example'));
    expect(seen).toMatchObject({
      dns: { reason: 'disabled' },
      page: { reason: 'disabled' },
      registration: { state: 'observed' },
    });
    expect(internet.visits).toEqual(['rdap shop.example']);
  });

  test('a name with a private address is refused by every probe of the host, without its records', async () => {
    await using internet = await startInternet({ 'shop.example': { zone: { a: ['127.0.1.1', '10.0.0.1'] } } });
    await using runner = openRunner(internet);
    const denied = { state: 'failed', failure: { code: 'egress_denied_mixed' } };
    const seen = await runner.look(internet.url('shop.example'));
    expect(seen).toMatchObject({ dns: denied, certificate: denied, page: denied });
    expect(JSON.stringify(seen)).not.toContain('"address"');
    expect(internet.visits.filter((line) => line.startsWith('http'))).toEqual([]);
  });

  test('an IP address has no registration and no DNS records', async () => {
    await using internet = await startInternet({ 'shop.example': { scheme: 'http' } });
    await using runner = openRunner(internet);
    const { port } = new URL(internet.url('shop.example'));
    expect(await runner.look(`http://${internet.addressOf('shop.example')}:${port}/`)).toMatchObject({
      dns: { reason: 'not_applicable' },
      registration: { reason: 'not_applicable' },
      page: { state: 'observed' },
    });
  });
});

describe('a check ends', () => {
  const slow = {
    script: [
      { op: 'send', data: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>slow</title>' },
      { op: 'drip', data: 'a', everyMs: 50 },
    ],
  };

  test('at its deadline, with a partial result', async () => {
    await using internet = await startInternet({ 'slow.example': slow });
    await using runner = openRunner(internet, {}, {}, { deadlineMs: 600 });
    const { result: seen, loopMs } = await timed(() => runner.look(internet.url('slow.example')));
    expect(loopMs).toBeLessThan(600 + LATENESS_MS);
    expect(seen.page).toMatchObject({ state: 'observed', value: { truncated: true, document: { title: 'slow' } } });
  });

  test('at its deadline, even if a probe ignores the signal', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    const stuck = { ...openContext(internet), readPage: () => new Promise<never>(() => {}) };
    await using runner = openRunner(internet, { context: stuck }, {}, { deadlineMs: 400 });
    const { result: seen, loopMs } = await timed(() => runner.look(internet.url('shop.example')));
    expect(loopMs).toBeLessThan(400 + LATENESS_MS);
    expect(seen.page).toMatchObject({ state: 'failed', failure: { code: 'timeout' } });
  });
});

describe('an unexpected exception in a probe', () => {
  const broken = (internet: Internet) => ({
    ...openContext(internet),
    readPage: () => Promise.reject(new TypeError(`no way to read ${internet.url('shop.example')}`)),
  });

  test('is reported as an internal error, with its stack in the log', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, { context: broken(internet) });
    const { page } = await runner.look(internet.url('shop.example'));
    expect(page).toMatchObject({ state: 'failed', failure: { code: 'internal_error' } });
    expect(JSON.stringify(page)).not.toContain('shop.example');
    expect(runner.lines.join()).toContain('no way to read');
  });

  test('does not add the URL of a private check to the log', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, { context: broken(internet) }, {}, { createLog: createPrivateProbeLog });
    await runner.look(internet.url('shop.example'));
    expect(runner.lines.join()).toContain('probe.fault');
    expect(runner.lines.join()).not.toContain('shop.example');
  });
});

describe('a silent resolver', () => {
  test('delays one check until its timeout, and later checks skip their probes at once', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using silent = await serveDns(() => ({ drop: true }));
    await using runner = openRunner(internet, {}, { dns_server: [silent.endpoint], dns_timeout_seconds: 0.3 });
    const look = () => runner.look(internet.url('shop.example'));
    expect(await look()).toMatchObject({ dns: { state: 'failed', failure: { code: 'timeout' } } });
    const asked = silent.queries.length;
    const resting = { state: 'skipped', reason: 'circuit_open' };
    expect(await look()).toMatchObject({ dns: resting, registration: resting, certificate: resting, page: resting });
    expect(silent.queries.length).toBe(asked);
  });
});
