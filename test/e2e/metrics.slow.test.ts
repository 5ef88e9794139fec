import { describe, expect, test } from 'bun:test';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { lurecheck } from '#test/support/executable.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const ADMIN = ['--admin-listen', '127.0.0.1:0'];

function adminUrlOf(service: Service): string {
  const ready = service.events().find(({ event }) => event === 'server.listening');
  return String(ready?.['admin_url']);
}

async function metricsOf(service: Service): Promise<Map<string, number>> {
  return samplesIn(await (await fetch(`${adminUrlOf(service)}/metrics`)).text());
}

/** The samples of Prometheus's text format by name and labels. */
function samplesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('metrics', () => {
  test('count checks by decision and visibility, and responses by route', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ADMIN);
    await service.result('https://example.com/');
    await service.result('http://paypal-login.verify-account.cyou/signin', true);
    await service.result('http://paypal-login.verify-account.cyou/signin', true);
    await service.check('not a url');
    await fetch(`${service.url}/nothing`);
    const samples = await metricsOf(service);
    const value = (name: string) => samples.get(name);
    expect(value('lurecheck_checks_total{visibility="public",decision="allow",check_coverage="url_only"}')).toBe(1);
    expect(value('lurecheck_checks_total{visibility="private",decision="block",check_coverage="url_only"}')).toBe(2);
    expect(value('lurecheck_check_duration_seconds_count')).toBe(3);
    expect(value('lurecheck_check_stage_duration_seconds_count{stage="log"}')).toBe(3);
    expect(value('lurecheck_probes_total{probe="page",outcome="disabled"}')).toBe(3);
    const answers = (method: string, route: string, status: number) =>
      value(`lurecheck_http_responses_total{method="${method}",route="${route}",status="${status}"}`);
    expect(answers('POST', '/api/check-url', 200)).toBe(3);
    expect(answers('POST', '/api/check-url', 400)).toBe(1);
    expect(answers('GET', '', 404)).toBe(1);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  test('report the size of the logs and the free disk space', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ADMIN);
    const before = Date.now() / 1000;
    await service.result('https://example.com/');
    await service.result('https://example.org/');
    const samples = await metricsOf(service);
    expect(samples.get('lurecheck_log_checks{log="public"}')).toBe(2);
    expect(samples.get('lurecheck_log_checks{log="private"}')).toBe(0);
    expect(samples.get('lurecheck_log_oldest_check_timestamp_seconds{log="public"}')).toBeGreaterThan(before - 1);
    expect(samples.has('lurecheck_log_oldest_check_timestamp_seconds{log="private"}')).toBe(false);
    expect(samples.get('lurecheck_log_bytes{log="public"}')).toBeGreaterThan(4096);
    expect(samples.get('lurecheck_log_wal_bytes{log="public"}')).toBeGreaterThan(0);
    expect(samples.get('lurecheck_log_disk_free_bytes')).toBeGreaterThan(0);
    expect(samples.get('lurecheck_ready')).toBe(1);
  });

  test('report the age of the lists, also after a list was replaced', async () => {
    await using directory = temporaryDirectory();
    const list = join(directory.path, 'blocked.txt');
    const write = (text: string, changedAt: string) => {
      writeFileSync(list, text);
      utimesSync(list, new Date(changedAt), new Date(changedAt));
    };
    write('one.example\n', '2026-01-01T00:00:00Z');
    await using service = await startService(`${directory.path}/data`, [...ADMIN, '--block-list', list]);
    const labels = '{list="blocked.txt",action="block"}';
    const told = async () => {
      const samples = await metricsOf(service);
      return ['entries', 'changed_timestamp_seconds'].map((name) => samples.get(`lurecheck_list_${name}${labels}`));
    };
    expect(await told()).toEqual([1, Date.UTC(2026, 0, 1) / 1000]);
    write('one.example\ntwo.example\n', '2026-02-01T00:00:00Z');
    await reload(service);
    expect(await told()).toEqual([2, Date.UTC(2026, 1, 1) / 1000]);
  });

  test('are served if the data directory was deleted', async () => {
    await using directory = temporaryDirectory();
    const dataDir = join(directory.path, 'data');
    await using service = await startService(dataDir, ADMIN);
    rmSync(dataDir, { recursive: true });
    const samples = await metricsOf(service);
    expect(samples.get('lurecheck_ready')).toBe(0);
    expect(samples.has('lurecheck_log_disk_free_bytes')).toBe(false);
    expect(samples.get('lurecheck_checks_undelivered_total')).toBe(0);
  });

  test('have no label that a client can choose, and contain nothing of the checked URLs', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ADMIN);
    await service.result('https://public-canary.example/path-canary?q=query-canary');
    await service.result('https://private-canary.example/path-canary', true);
    await fetch(`${service.url}/route-canary`, { method: 'METHODCANARY' });
    await fetch(`${service.url}/api/history?domain=domain-canary.example`);
    const text = await (await fetch(`${adminUrlOf(service)}/metrics`)).text();
    expect(text).toContain('lurecheck_checks_total');
    expect(text.toLowerCase()).not.toContain('canary');
    expect(text).not.toContain('127.0.0.1');
  });

  test('are in OpenMetrics format for clients that accept it', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ADMIN);
    const read = (accept: string) => fetch(`${adminUrlOf(service)}/metrics`, { headers: { accept } });
    // What Prometheus 2.42 sends.
    const asked =
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    const [open, plain] = [await read(asked), await read('*/*')];
    expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect((await open.text()).endsWith('# EOF\n')).toBe(true);
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await plain.text()).toContain('# TYPE lurecheck_checks_total counter\n');
  });
});

test.each(['alerts.yml', 'grafana-dashboard.json'])('%s uses only metrics that exist', async (file) => {
  await using directory = temporaryDirectory();
  const list = join(directory.path, 'blocked.txt');
  writeFileSync(list, 'one.example\n');
  await using withFiles = await startService(`${directory.path}/files`, [
    ...ADMIN,
    ...['--icap-listen', '127.0.0.1:0', '--milter-listen', '127.0.0.1:0', '--zone-listen', '127.0.0.1:0'],
    ...['--block-list', list],
  ]);
  // Nobody answers there, and the service serves all the same.
  const away = (name: string) => `postgres://nobody@127.0.0.1:1/${name}`;
  const databases = ['--log-database', away('open'), '--log-database-private', away('hidden')];
  await using withDatabases = await startService(`${directory.path}/databases`, [...ADMIN, ...databases]);
  const textOf = async (service: Service) => await (await fetch(`${adminUrlOf(service)}/metrics`)).text();
  const text = `${await textOf(withFiles)}\n${await textOf(withDatabases)}`;
  const families = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const asked = await Bun.file(`.ci/packaging/monitoring/${file}`).text();
  const names = [...asked.matchAll(/\b(?:lurecheck|process)_[a-z_]+/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(9);
  expect(names.filter((name) => !families.has(name))).toEqual([]);
});

/** Processor time of a process so far (proc_pid_stat(5), in steps of 10 ms). */
function cpuMsOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

test('100 scrapes per second use at most a third of a processor core, and checks continue', async () => {
  await using directory = temporaryDirectory();
  await using service = await startService(directory.path, ADMIN);
  await service.result('http://warm.example/');
  await metricsOf(service);
  const url = `${adminUrlOf(service)}/metrics`;
  const scrapes = 500;
  const scrapeAll = async () => {
    const before = cpuMsOf(service.pid);
    const scraped = Array.from({ length: 10 }, async () => {
      const statuses = new Set<number>();
      for (let time = 0; time < scrapes / 10; time++) {
        const response = await fetch(url);
        await response.text();
        statuses.add(response.status);
      }
      return [...statuses];
    });
    expect(await Promise.all(scraped)).toEqual(scraped.map(() => [200]));
    return (cpuMsOf(service.pid) - before) / scrapes;
  };
  // Another process on the same core makes some rounds longer, and none shorter.
  const leastMs = Math.min(await scrapeAll(), await scrapeAll(), await scrapeAll());
  expect(leastMs / machineSlowness()).toBeLessThan(3.3);
  // And beside checks.
  const besides = Array.from({ length: 100 }, async (_, number) => {
    const { request_id: id } = await service.result(`http://a${number}.example/`);
    return [(await fetch(url)).status, typeof id];
  });
  expect(await Promise.all(besides)).toEqual(besides.map(() => [200, 'string']));
  expect(
    (await metricsOf(service)).get(
      'lurecheck_checks_total{visibility="public",decision="allow",check_coverage="url_only"}',
    ),
  ).toBe(101);
});

describe('the admin listener', () => {
  test('serves metrics and health but no checks, and the public listener serves no metrics', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ADMIN);
    const admin = adminUrlOf(service);
    const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;
    expect(await statusOf(`${admin}/livez`)).toBe(200);
    expect(await statusOf(`${admin}/readyz`)).toBe(200);
    expect(await statusOf(`${admin}/api/check-url`, { method: 'POST' })).toBe(404);
    expect(await statusOf(`${service.url}/metrics`)).toBe(401);
  });

  test('rejects a foreign host name, as of DNS rebinding', async () => {
    await using directory = temporaryDirectory();
    await using service = await startService(directory.path, ADMIN);
    const headers = { host: 'rebound.example' };
    expect((await fetch(`${adminUrlOf(service)}/metrics`, { headers })).status).toBe(421);
  });

  test('can be a Unix socket', async () => {
    await using directory = temporaryDirectory();
    const unix = join(directory.path, 'admin.sock');
    await using service = await startService(directory.path, ['--admin-listen', `unix:${unix}`]);
    expect(adminUrlOf(service)).toBe(`unix:${unix}`);
    expect((await fetch('http://localhost/metrics', { unix })).status).toBe(200);
  });

  test.each(['0.0.0.0:9180', ':9180', '192.0.2.1:9180', 'box.corp.example:9180'])(
    'must be a loopback address, and so not %s',
    async (address) => {
      await using directory = temporaryDirectory();
      const run = await lurecheck(['serve', '--admin-listen', address, '--data-dir', directory.path]);
      expect([run.exitCode, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain('--admin-listen');
      expect(run.stderr).toContain('a loopback address');
    },
  );

  test('cannot be the target of a check', async () => {
    await using directory = temporaryDirectory();
    const config = join(directory.path, 'lurecheck.toml');
    // Every port that the system may pick.
    const ports = Array.from({ length: 65_536 - 1024 }, (_, index) => 1024 + index);
    await Bun.write(config, `network = "full"\negress_allow = ["127.0.0.0/8"]\negress_port = [${ports}]\n`);
    await using service = await startService(directory.path, [...ADMIN, '--config', config]);
    const { analysis_details: details } = await service.result(`${adminUrlOf(service)}/metrics`);
    expect(details.unavailable).toContainEqual({ component: 'page', reason: 'refused_by_policy' });
    const samples = await metricsOf(service);
    expect(samples.get('lurecheck_egress_refusals_total{kind="address"}')).toBe(1);
  });
});
