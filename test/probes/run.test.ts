import { describe, expect, test } from 'bun:test';
import { systemClock } from '#src/base/clock.ts';
import { createLogger, type LogLevel } from '#src/base/logger.ts';
import { createTrustAnchors } from '#src/certificate/trust-anchors.ts';
import { PUBLIC_AUTHORITIES } from '#src/egress/egress.ts';
import type { EgressSettings } from '#src/egress/settings.ts';
import { readPage } from '#src/html/read-page.ts';
import { createRegistryCourtesy } from '#src/probes/registry-courtesy.ts';
import { createProbeRunner, type ProbeRunnerParts } from '#src/probes/run.ts';
import { createRegistryDirectory } from '#src/registry/directory.ts';
import { serveDns } from '#test/egress/dns-server.ts';
import { LATENESS_MS } from '#test/egress/lateness.ts';
import { type Internet, startInternet } from '#test/support/internet.ts';
import { timed } from '#test/support/loop-time.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { targetOf } from '#test/support/target.ts';

function openContext(internet: Internet): ProbeRunnerParts['context'] {
  return {
    clock: systemClock,
    registries: createRegistryDirectory({ rdap: () => null, whois: () => null }, internet.registries),
    courtesy: createRegistryCourtesy(systemClock),
    anchors: createTrustAnchors(PUBLIC_AUTHORITIES, [internet.authority.pem]),
    readPage: async (bytes, source) => readPage(bytes, source),
  };
}

/** A runner in a small internet, and what it logged. */
function openRunner(internet: Internet, parts: Partial<ProbeRunnerParts> = {}, settings: Partial<EgressSettings> = {}) {
  const lines: string[] = [];
  const egress = internet.open(settings);
  const run = createProbeRunner({
    egress,
    context: openContext(internet),
    lists: { block: [], allow: [] },
    off: [],
    deadlineMs: PATIENT_MS,
    clock: systemClock,
    logger: createLogger('debug' satisfies LogLevel, (line) => lines.push(line)),
    ...parts,
  });
  return { run, lines, [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose]() };
}

const PUBLIC = { visibility: 'public' } as const;

describe('a check of an ordinary site', () => {
  test('is seen from all sides, as plain JSON', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet);
    const stages: string[] = [];
    const seen = await runner.run(targetOf(internet.url('shop.example')), {
      ...PUBLIC,
      onStage: (stage) => stages.push(stage),
    });
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

  test('asks a registry and a certificate once a day, for public and for private checks apart', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet);
    const visit = (visibility: 'public' | 'private') =>
      runner.run(targetOf(internet.url('shop.example')), { visibility });
    const asked = () => internet.visits.filter((line) => line.startsWith('rdap')).length;
    const first = await visit('private');
    expect(asked()).toBe(1);
    await visit('private');
    expect(asked()).toBe(1);
    const other = await visit('public');
    expect(asked()).toBe(2);
    expect(values(other)).toEqual(values(first) as never);
  });
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

  test('looks at the landing host too', async () => {
    await using internet = await startInternet(sites);
    await using runner = openRunner(internet);
    const seen = await runner.run(targetOf(internet.url('short.example')), PUBLIC);
    expect(seen.landing).toMatchObject({
      host: 'www.landing.example',
      dns: { state: 'observed' },
      registration: { state: 'observed', value: { domain: 'landing.example' } },
      certificate: { state: 'observed', value: { subject: 'CN=www.landing.example' } },
    });
  });
});

describe('what may not be looked at', () => {
  test('without a network nothing is asked, and everything is named as disabled', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using dns = await serveDns(() => ({}));
    await using runner = openRunner(internet, {}, { network: 'none', dns_server: [dns.endpoint] });
    const disabled = { state: 'skipped', reason: 'disabled' } as const;
    expect(await runner.run(targetOf(internet.url('shop.example')), PUBLIC)).toEqual({
      dns: disabled,
      registration: disabled,
      certificate: disabled,
      page: disabled,
      lists: disabled,
      landing: null,
    });
    expect([...internet.visits, ...dns.queries]).toEqual([]);
  });

  test('with DNS alone, only the resolver is asked', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, {}, { network: 'dns' });
    expect(await runner.run(targetOf(internet.url('shop.example')), PUBLIC)).toMatchObject({
      dns: { state: 'observed' },
      registration: { reason: 'disabled' },
      certificate: { reason: 'disabled' },
      page: { reason: 'disabled' },
    });
    expect(internet.visits).toEqual([]);
  });

  test('each probe can be switched off', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, { off: ['page', 'dns'] });
    const seen = await runner.run(targetOf(internet.url('shop.example')), PUBLIC);
    expect(seen).toMatchObject({
      dns: { reason: 'disabled' },
      page: { reason: 'disabled' },
      registration: { state: 'observed' },
    });
    expect(internet.visits).toEqual(['rdap shop.example']);
  });

  test('a name with a private address is refused by every probe that would go there, and its records are not shown', async () => {
    await using internet = await startInternet({ 'shop.example': { zone: { a: ['127.0.1.1', '10.0.0.1'] } } });
    await using runner = openRunner(internet);
    const denied = { state: 'failed', failure: { code: 'egress_denied_mixed' } };
    const seen = await runner.run(targetOf(internet.url('shop.example')), PUBLIC);
    expect(seen).toMatchObject({ dns: denied, certificate: denied, page: denied });
    expect(JSON.stringify(seen)).not.toContain('"address"');
    expect(internet.visits.filter((line) => line.startsWith('http'))).toEqual([]);
  });

  test('an address has no registration, and no name to look up', async () => {
    await using internet = await startInternet({ 'shop.example': { scheme: 'http' } });
    await using runner = openRunner(internet);
    const { port } = new URL(internet.url('shop.example'));
    expect(await runner.run(targetOf(`http://${internet.addressOf('shop.example')}:${port}/`), PUBLIC)).toMatchObject({
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

  test('by its deadline, with what it has', async () => {
    await using internet = await startInternet({ 'slow.example': slow });
    await using runner = openRunner(internet, { deadlineMs: 600 });
    const { result: seen, loopMs } = await timed(() => runner.run(targetOf(internet.url('slow.example')), PUBLIC));
    expect(loopMs).toBeLessThan(600 + LATENESS_MS);
    expect(seen.page).toMatchObject({ state: 'observed', value: { truncated: true, document: { title: 'slow' } } });
  });

  test('by its deadline even where a probe does not listen', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    const stuck = { ...openContext(internet), readPage: () => new Promise<never>(() => {}) };
    await using runner = openRunner(internet, { deadlineMs: 400, context: stuck });
    const { result: seen, loopMs } = await timed(() => runner.run(targetOf(internet.url('shop.example')), PUBLIC));
    expect(loopMs).toBeLessThan(400 + LATENESS_MS);
    expect(seen.page).toMatchObject({ state: 'failed', failure: { code: 'timeout' } });
  });

  test('at once where nobody waits for it any more', async () => {
    await using internet = await startInternet({ 'slow.example': slow });
    await using runner = openRunner(internet);
    const signal = AbortSignal.timeout(200);
    const { result: seen, loopMs } = await timed(() =>
      runner.run(targetOf(internet.url('slow.example')), { ...PUBLIC, signal }),
    );
    expect(loopMs).toBeLessThan(200 + LATENESS_MS);
    expect(seen.page).toMatchObject({ state: 'failed', failure: { code: 'aborted' } });
  });
});

describe('a fault of the program', () => {
  const broken = (internet: Internet) => ({
    ...openContext(internet),
    readPage: () => Promise.reject(new TypeError(`no way to read ${internet.url('shop.example')}`)),
  });

  test('is an internal error, with its stack in the log', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, { context: broken(internet) });
    const { page } = await runner.run(targetOf(internet.url('shop.example')), PUBLIC);
    expect(page).toMatchObject({ state: 'failed', failure: { code: 'internal_error' } });
    expect(JSON.stringify(page)).not.toContain('shop.example');
    expect(runner.lines.join()).toContain('no way to read');
  });

  test('does not put what a private check asked for into the log', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using runner = openRunner(internet, { context: broken(internet) });
    await runner.run(targetOf(internet.url('shop.example')), { visibility: 'private' });
    expect(runner.lines.join()).toContain('probe.fault');
    expect(runner.lines.join()).not.toContain('shop.example');
  });
});

describe('a silent resolver', () => {
  test('is waited for once; then checks say so at once', async () => {
    await using internet = await startInternet({ 'shop.example': {} });
    await using silent = await serveDns(() => ({ drop: true }));
    await using runner = openRunner(internet, {}, { dns_server: [silent.endpoint], dns_timeout_seconds: 0.3 });
    const look = () => runner.run(targetOf(internet.url('shop.example')), PUBLIC);
    expect(await look()).toMatchObject({ dns: { state: 'failed', failure: { code: 'timeout' } } });
    const asked = silent.queries.length;
    const resting = { state: 'skipped', reason: 'circuit_open' };
    expect(await look()).toMatchObject({ dns: resting, registration: resting, certificate: resting, page: resting });
    expect(silent.queries.length).toBe(asked);
  });
});
