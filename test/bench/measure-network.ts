import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeConfigFile } from '#test/lab/config-file.ts';
import { labSites } from '#test/lab/sites.ts';
import { startInternet } from '#test/support/internet.ts';
import { startAsked } from './asked-process.ts';
import { bodyOf } from './contest.ts';
import { interleave } from './interleave.ts';
import { runLoad } from './load.ts';
import type { Plan } from './plan.ts';
import { processMicros } from './process-figures.ts';
import { startProgram } from './running-server.ts';
import type { Programs, SampleSheet, Subject } from './samples.ts';

/** Sites of the laboratory that answer at once, over TLS. */
const NAMES = ['harbourbank', 'oldtimes', 'harbourbank-secure', 'fresh', 'parked'].map((label) => `${label}.example`);
/** Checks at a time, as a client may have. */
const TOGETHER = 4;
const FIRST = 50;
/** Checks until the compiler is done, and in a round, as parts of the checks to warm up and in a round without a network. */
const WARM_UP_SHARE = 300 / 20_000;
const ROUND_SHARE = 100 / 5000;

/** What a check costs that looks everything up, in a small internet on this machine. */
export async function measureNetwork(
  programs: Programs,
  { rounds, requests, warmUps }: Plan,
  folder: string,
  sheet: SampleSheet,
): Promise<void> {
  const all = labSites('example', Date.now());
  await using opened = new AsyncDisposableStack();
  const internet = opened.use(await startInternet(all));
  const configDir = join(folder, 'lab');
  await mkdir(configDir);
  const config = ['--config', await writeConfigFile(internet, configDir), '--client-concurrency', '16'];
  const checks = Math.ceil(requests * ROUND_SHARE);
  const portOf = (name: string) => Number(new URL(internet.url(name)).port);
  const sites = NAMES.map((name) => ({ name, address: internet.addressOf(name), port: portOf(name) }));
  const script = join(import.meta.dir, 'plain-lookups.ts');
  const resolver = internet.egress.dns_server?.[0]?.port ?? 0;
  const plain = opened.use(startAsked(script, JSON.stringify(sites), String(resolver), String(checks)));
  let hosts = 0;
  /** Returns the URL of a host of a site that nobody has asked for yet: what is known of a host is kept for a day. */
  const newUrl = () => {
    const site = NAMES[hosts % NAMES.length] ?? '';
    const host = `h${hosts++}.${site}`;
    internet.zone.set(host, { ...internet.zone.get(site) });
    return `https://${host}:${portOf(site)}/`;
  };
  const start = (subject: Subject, program: string, turn: string) =>
    startProgram(program, join(folder, `network-${turn}-${subject}`), config);
  /** Returns the processor time per check, in milliseconds. */
  const measure = async ({ pid, port }: { readonly pid: number; readonly port: number }, count: number) => {
    const before = await processMicros(pid);
    const body = () => bodyOf(newUrl());
    await runLoad({
      ...{ port, path: '/api/check-url', connections: TOGETHER, requests: count },
      perSecond: null,
      body,
    });
    return ((await processMicros(pid)) - before) / 1000 / count;
  };
  await plain.measure();
  const measurePlain = async (figure: 'network' | 'networkFirst') => {
    sheet.add(figure, 'reference', (await plain.measure())['millis'] ?? Number.NaN);
  };
  const firsts = [...programs].map(([subject, program]) => async () => {
    await using server = await start(subject, program, `first-${directories++}`);
    sheet.add('networkFirst', subject, await measure(server, FIRST));
  });
  let directories = 0;
  await interleave(rounds, [...firsts, () => measurePlain('networkFirst')]);
  const warm: (() => Promise<void>)[] = [];
  for (const [subject, program] of programs) {
    const server = opened.use(await start(subject, program, 'warm'));
    await measure(server, Math.ceil(warmUps * WARM_UP_SHARE));
    warm.push(async () => sheet.add('network', subject, await measure(server, checks)));
  }
  await interleave(rounds, [...warm, () => measurePlain('network')]);
}
