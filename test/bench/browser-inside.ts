import { readdirSync, readFileSync } from 'node:fs';
import type { CheckResult } from '#src/checks/record/check-result.ts';
import { serveDns } from '#test/network/egress/dns-server.ts';
import { serveScript } from '#test/network/egress/script-server.ts';
import { PUBLIC } from '#test/support/place.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { HONEST_PAGES } from '../system/tricks/honest-pages.ts';
import { answerOf, type Sites } from '../system/tricks/site-answers.ts';
import { quantileOf } from './statistics.ts';

/** Rounds over all pages; the first one warms up. */
const ROUNDS = 3;
const TICKS_PER_SECOND = 100;
const MIB = 1024 * 1024;
const MEMORY_EVERY_MS = 200;

interface ProcessUse {
  readonly seconds: number;
  readonly bytes: number;
}

/** Adds up what the processes of a group use: time with that of their ended children, and memory by its shares. */
function useOfGroup(group: number): ProcessUse {
  let [ticks, kib] = [0, 0];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) /s);
      const values = fields.split(' ');
      if (Number(values[2]) !== group) continue;
      ticks += values.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
      kib += Number(/^Pss: *(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
    } catch {
      // It has ended.
    }
  }
  return { seconds: ticks / TICKS_PER_SECOND, bytes: kib * 1024 };
}

const groupOfBrowser = (): number | null => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (words.includes('--remote-debugging-pipe') && isBelow(Number(pid), process.pid)) {
        const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) /s);
        return Number(fields.split(' ')[2]);
      }
    } catch {
      // It has ended.
    }
  }
  return null;
};

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === ancestor) return true;
    at = Number(readFileSync(`/proc/${at}/stat`, 'utf8').split(/\) /s)[1]?.split(' ')[1]);
  }
  return false;
}

/** Runs inside a namespace: checks the pages of the laboratory, and prints what the browser took for them. */
async function run(browser: string): Promise<void> {
  const sites: Sites = new Map(HONEST_PAGES.map(({ host, site }) => [host, site] as const));
  const address = PUBLIC.siteAddress(0);
  await using _sites = await serveScript((path, head) => answerOf(sites, path, head), false, {
    address,
    port: PUBLIC.ports.http,
  });
  await using _dns = await serveDns(
    ({ name, type }) => ({ answers: type === 'A' ? [{ name, type, ttl: 60, data: address }] : [] }),
    { address: PUBLIC.resolver, port: PUBLIC.ports.dns },
  );
  await using directory = temporaryDirectory();
  const probesOff = ['dns', 'registration', 'certificate'].flatMap((probe) => ['--probe-off', probe]);
  await using service = await startService(directory.path, [
    ...['--network', 'full', '--browser', browser, '--dns-server', PUBLIC.resolver, '--rate-limit', '0'],
    ...probesOff,
  ]);
  const check = async (host: string) => {
    const response = await fetch(`${service.url}/api/check-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `http://${host}/` }),
    });
    return ((await response.json()) as CheckResult).analysis_details.render;
  };
  const checkAll = async () => {
    const renders = [];
    for (const { host } of HONEST_PAGES) renders.push(await check(host));
    return renders;
  };
  await checkAll();
  const group = groupOfBrowser() ?? 0;
  const before = useOfGroup(group);
  let most = before.bytes;
  const watch = setInterval(() => {
    most = Math.max(most, useOfGroup(group).bytes);
  }, MEMORY_EVERY_MS);
  const renders = [];
  for (let round = 1; round < ROUNDS; round++) renders.push(...(await checkAll()));
  clearInterval(watch);
  const after = useOfGroup(group);
  const visits = renders.filter((render) => render?.status === 'ok').map((render) => render?.seconds ?? 0);
  process.stdout.write(
    JSON.stringify({
      checks: renders.length,
      visits: visits.length,
      p50Seconds: quantileOf(
        visits.toSorted((a, b) => a - b),
        0.5,
      ),
      cpuSecondsPerVisit: (after.seconds - before.seconds) / visits.length,
      idleMib: after.bytes / MIB,
      pageMib: (most - Math.min(before.bytes, after.bytes)) / MIB,
    }),
  );
}

await run(process.argv[2] ?? '');
