import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { driveGate } from '#test/bench/gate-load.ts';
import { machineSlowness } from '#test/support/cpu-time.ts';
import { lurecheck } from '#test/support/executable.ts';
import { startIcapService } from '#test/support/icap-service.ts';
import { type Squid, startSquid } from '#test/support/squid.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { untilSeen } from '#test/support/until.ts';
import { withPlaces } from '#test/support/with-places.ts';
import { codeIn, WRITTEN } from '../service/manual/written-manual.ts';

const HOST = 'good.example.com';
const LISTED = 'listed.example.com';
const REQUESTS = 4000;

/** Requests while a list is imported, and how many of them fall due in a second. */
const DRIVEN = 2000;
const DRIVEN_EACH_SECOND = 250;

const CONNECTIONS = 40;
const ENTRIES = 200_000;

/**
 * Bounds of processor time per request, in milliseconds, twice and three times what an idle host needs (0.35 for the service
 * if every URL is new, 0.2 more for Squid): hosts that others use slow down caches, too.
 */
const MAX_SERVICE_MS = 1;
const MAX_SQUID_MS = 0.6;

/** Sends requests for new URLs through Squid as fast as it answers; each must succeed. */
async function load(squid: Squid, originPort: number, requests: number): Promise<void> {
  let next = 0;
  const proxy = `http://127.0.0.1:${squid.port}`;
  const run = async () => {
    while (next < requests) {
      const at = next++;
      const response = await fetch(`http://${HOST}:${originPort}/page-${at}?q=${Bun.hash(String(at))}`, {
        proxy,
        headers: { accept: 'text/html' },
      });
      if (response.status !== 200) throw new Error(`request ${at}: ${response.status}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
}

/** Processor time of a process so far, in milliseconds; fields 14 and 15 of proc(5) are in hundredths of a second. */
async function cpuOf(pid: number): Promise<number> {
  const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test('a check of each request costs bounded processor time, also while a list of 200,000 entries is imported', async () => {
  await using directory = temporaryDirectory();
  await lurecheck(['lists', 'add', 'ours', LISTED, '--data-dir', directory.path]);
  const { service, port } = await startIcapService(directory.path, [
    '--gate-mode',
    'hold',
    '--admin-listen',
    '127.0.0.1:0',
  ]);
  await using _ = service;
  await using stack = new AsyncDisposableStack();
  const origin = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('ok') });
  stack.defer(() => origin.stop(true));
  const [example = ''] = codeIn('drop-in', WRITTEN.get('drop-in') ?? '')
    .filter(({ language }) => language === 'squid')
    .map(({ text }) => text);
  // On a host that others use, Squid itself may wait for seconds, and would give the service up.
  const asking = withPlaces(example, {
    '127.0.0.1:1344': `127.0.0.1:${port}`,
    'icap_connect_timeout 1 second': 'icap_connect_timeout 1 minute',
    'icap_io_timeout 5 seconds': 'icap_io_timeout 1 minute',
    'icap_service_failure_limit 10': 'icap_service_failure_limit -1',
  });
  const bare = stack.use(await startSquid({ names: [HOST], config: () => '' }));
  const gated = stack.use(await startSquid({ names: [HOST, LISTED], config: () => asking }));
  const originPort = origin.port ?? 0;

  for (const squid of [bare, gated]) await load(squid, originPort, 200);
  const bareBefore = await bare.cpuMs();
  await load(bare, originPort, REQUESTS);
  const bareMs = ((await bare.cpuMs()) - bareBefore) / REQUESTS;
  const [gatedBefore, serviceBefore] = [await gated.cpuMs(), await cpuOf(service.pid)];
  await load(gated, originPort, REQUESTS);
  const gatedMs = ((await gated.cpuMs()) - gatedBefore) / REQUESTS;
  const serviceMs = ((await cpuOf(service.pid)) - serviceBefore) / REQUESTS;
  const slowness = machineSlowness();
  expect(serviceMs / slowness).toBeLessThan(MAX_SERVICE_MS);
  expect((gatedMs - bareMs) / slowness).toBeLessThan(MAX_SQUID_MS);

  // From the first import on, the gate is asked as a proxy on a busy day does; a listed host never passes.
  const file = join(directory.path, 'feed.txt');
  writeFileSync(file, Array.from({ length: ENTRIES }, (_, at) => `host-${at}.listed.example.org\n`).join(''));
  const imported = lurecheck(['lists', 'import', 'feed', file, '--yes', '--data-dir', directory.path]);
  const proxy = `http://127.0.0.1:${gated.port}`;
  const passing = `http://${HOST}:${originPort}`;
  const driven = await driveGate({ proxy, passing, listed: LISTED, perSecond: DRIVEN_EACH_SECOND, requests: DRIVEN });
  expect(driven).toMatchObject({ listed: DRIVEN / 10, listedPassed: 0, others: 0.9 * DRIVEN, othersFailed: 0 });
  expect((await imported).exitCode).toBe(0);
  await untilSeen('the list is active', () => service.events().some(({ event }) => event === 'lists.reread'));

  const metrics = await (await fetch(`${service.events()[0]?.['admin_url']}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  const [all, within] = [
    value('lurecheck_gate_cpu_seconds_count'),
    value('lurecheck_gate_cpu_seconds_bucket\\{le="0.01"\\}'),
  ];
  expect(all).toBeGreaterThanOrEqual(REQUESTS + DRIVEN);
  // Of our own processing, 99 of 100 requests take less than 10 ms of processor time.
  expect((all - within) / all).toBeLessThan(0.01);
});
