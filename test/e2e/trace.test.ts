import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TimedStep } from '#src/interfaces/cli/check/check-one.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { lurecheck } from '#test/support/executable.ts';

const opened = new AsyncDisposableStack();
afterAll(() => opened.disposeAsync());

const HOST = 'shop.example.com';
let url = '';
let flags: readonly string[] = [];

beforeAll(async () => {
  const dns = opened.use(
    await serveDns(({ name, type }) =>
      name === HOST && type === 'A' ? { answers: [{ name, type, ttl: 60, data: '127.0.0.1' }] } : {},
    ),
  );
  const site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/': Response.redirect('/shop', 302),
      '/shop': new Response('<title>Shop</title>', { headers: { 'content-type': 'text/html' } }),
    },
  });
  opened.defer(() => site.stop(true));
  url = `http://${HOST}:${site.port}/`;
  flags = [
    ...['--dns-server', `127.0.0.1:${dns.endpoint.port}`, '--probe-off', 'registration'],
    ...['--egress-allow', '127.0.0.1/32', '--egress-port', String(site.port)],
  ];
});

const check = (...args: string[]) => lurecheck(['check', '--trace', ...flags, ...args]);

describe('a traced check', () => {
  test('contains each query, connection, hop, probe and stage in its JSON, with their times', async () => {
    const { stdout, stderr } = await check('--format', 'json', url);
    const { trace, ...result } = JSON.parse(stdout);
    const steps: TimedStep[] = trace;
    const { port } = new URL(url);
    const of = (step: string) => steps.filter((one) => one.step === step).map(({ subject }) => subject);
    expect(stderr).toBe('');
    expect(result.analysis_details).toMatchObject({ html_available: true, final_url: `${url}shop` });
    expect(of('stage')).toEqual(['observe', 'assess', 'log']);
    expect(of('probe').toSorted()).toEqual([`dns of ${HOST}`, `page of ${HOST}`]);
    expect(of('dns')).toEqual(expect.arrayContaining([`${HOST} A`, `${HOST} AAAA`, 'example.com MX']));
    expect(of('connection')).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
    expect(of('http')).toEqual([url, `${url}shop`]);
    expect(of('read')).toEqual([`${url}shop`]);
    expect(steps.find(({ subject }) => subject === `${url}shop`)).toMatchObject({
      outcome: 'ok',
      detail: '200, 19 bytes',
    });
    // Each in the order in which it began, and what a stage did within it.
    const [observe] = steps;
    for (const [index, { started_seconds: began, elapsed_seconds: took }] of steps.entries()) {
      expect(began).toBeGreaterThanOrEqual(steps[index - 1]?.started_seconds ?? 0);
      expect(took).toBeGreaterThanOrEqual(0);
    }
    expect(observe?.subject).toBe('observe');
    expect(observe?.elapsed_seconds).toBeLessThanOrEqual(result.analysis_details.timings.observe);
  });

  test('contains the reason of each failure', async () => {
    const { stdout } = await check('--format', 'ndjson', url.replace(HOST, 'gone.example.com'), 'https://10.1.2.3/');
    const [gone, inside] = stdout
      .trim()
      .split('\n')
      .map((line): TimedStep[] => JSON.parse(line).trace);
    expect(gone).toContainEqual(
      expect.objectContaining({ step: 'probe', outcome: 'dns_no_data', detail: 'gone.example.com: NOERROR' }),
    );
    expect(inside).toContainEqual(
      expect.objectContaining({ step: 'probe', outcome: 'egress_denied', detail: 'private: 10.1.2.3' }),
    );
  });

  test('has a separate section below the result in text output', async () => {
    const { stdout } = await check(url);
    const [verdict, ...rest] = stdout.split('\n');
    expect(verdict).toStartWith('ALLOW');
    const trace = rest.slice(rest.indexOf('    began      took  in milliseconds') + 1, -1);
    expect(trace.length).toBeGreaterThan(10);
    for (const line of trace) expect(line).toMatch(/^ +\d+\.\d +\d+\.\d {2}(stage|probe|dns|connection|http|read) +\S/);
    expect(trace.join('\n')).toMatch(/dns {8}shop\.example\.com A {2}NOERROR, 1 record\n/);
  });

  test('contains no network steps without a network', async () => {
    const { stdout } = await check('--network', 'none', '--format', 'json', url);
    const trace: TimedStep[] = JSON.parse(stdout).trace;
    expect(trace.map(({ subject }) => subject)).toEqual(['observe', 'assess', 'log']);
  });

  test('has the members of any check, and trace', async () => {
    const keysOf = async (...args: string[]) =>
      Object.keys(JSON.parse((await lurecheck(['check', ...flags, '--format', 'json', ...args, url])).stdout));
    expect(await keysOf('--trace')).toEqual([...(await keysOf()), 'trace']);
  });
});
