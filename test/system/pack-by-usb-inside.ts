import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClockShift } from '#test/soak/clock-shift.ts';
import { packDesk, THRESHOLDS } from '#test/support/pack-desk.ts';
import { reload } from '#test/support/reload.ts';
import { type Service, startService } from '#test/support/service.ts';
import { untilSeen } from '#test/support/until.ts';
import { fillDisk } from './small-disk.ts';

// The disk of the first argument is the box and the publisher's desk; a stick is a file system of its own, never written to here.
const [, , folder = ''] = process.argv;
const YEAR_SECONDS = 365 * 86_400;
const BAD = 'http://bad.example/';

const desk = packDesk(folder);
const stick = join(folder, 'stick');
const clock = createClockShift(join(folder, 'clock'));
const told: Record<string, unknown> = {};

function run(...command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}

/** Another stick in place of the one before, with these files. */
function plugIn(files: Readonly<Record<string, string | Uint8Array>>): void {
  if (Bun.spawnSync(['mountpoint', '-q', stick]).exitCode === 0) run('umount', stick);
  run('mount', '-t', 'tmpfs', '-o', 'size=8m', 'none', stick);
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === 'string') copyFileSync(content, join(stick, name));
    else writeFileSync(join(stick, name), content);
  }
  run('mount', '-o', 'remount,ro', stick);
}

const start = () => startService(desk.dataDir, ['--pack-dir', stick], clock.env);
const decision = async (service: Service, url = BAD) => (await service.result(url)).decision;
const refusals = (service: Service) =>
  service.events().flatMap(({ event, file, code }) => (event === 'pack.refused' ? [`${file} ${code}`] : []));
const notices = async (service: Service): Promise<string[]> =>
  JSON.parse(await (await fetch(`${service.url}/readyz`)).text()).notices;
const list = (text: string) => ({ 'lists/block/phishing.txt': text });

mkdirSync(stick);
await desk.trust(desk.keyFile('acme'));
const first = await desk.build({}, list('bad.example\n'));
const second = await desk.build({ version: 2 }, { ...THRESHOLDS, ...list('worse.example\n') });
// Made and expired long ago, with a version that nobody has seen.
clock.set(-3 * YEAR_SECONDS);
const expires = new Date(Date.now() - 2.5 * YEAR_SECONDS * 1000).toISOString();
const expired = await desk.build({ version: 7, expires }, list('old.example\n'), 'acme', clock.env);
clock.set(0);

{
  await using service = await start();
  plugIn({ 'acme-1.pack': first });
  await reload(service);
  await untilSeen('the first pack decides', async () => (await decision(service)) === 'block');

  // Somebody pulled the stick while it was written.
  plugIn({ 'acme-2.pack': readFileSync(second).subarray(0, -5) });
  await reload(service);
  told['cut'] = { refused: refusals(service), inForce: await desk.inForce(), decision: await decision(service) };

  plugIn({ 'acme-2.pack': second });
  await reload(service);
  await untilSeen(
    'the second pack decides',
    async () => (await decision(service, 'http://worse.example/')) === 'block',
  );
  told['second'] = { inForce: await desk.inForce(), decision: await decision(service, 'http://fine.example/') };
  await service.kill();
}

// As if power had gone between the step and what follows it.
rmSync(join(desk.dataDir, 'packs/lists.json'));
rmSync(join(desk.dataDir, 'lists'), { recursive: true });
// The battery of the clock is dead, too.
clock.set(-2.75 * YEAR_SECONDS);
{
  await using service = await start();
  await untilSeen('the list follows', async () => (await decision(service, 'http://worse.example/')) === 'block');
  plugIn({ 'acme-7.pack': expired });
  await reload(service);
  told['clock'] = { refused: refusals(service), notices: await notices(service), inForce: await desk.inForce() };
}
clock.set(0);

const third = await desk.build({ version: 3 }, list('third.example\n'));
fillDisk(join(folder, 'filler'));
const full = await desk.pack('install', third, '--yes');
told['full'] = { exitCode: full.exitCode, stderr: full.stderr.replaceAll(folder, ''), inForce: await desk.inForce() };
rmSync(join(folder, 'filler'));
const installed = await desk.pack('install', third, '--yes');
told['room'] = { exitCode: installed.exitCode, inForce: await desk.inForce() };

process.stdout.write(JSON.stringify(told));
