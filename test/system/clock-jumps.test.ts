import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#src/core/base/clock.ts';
import { type ClockShift, createClockShift } from '#test/soak/clock-shift.ts';
import { executable, lurecheck } from '#test/support/executable.ts';
import { startService } from '#test/support/service.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const RETENTION = ['--retention-days', '30'];

/** A public and a private check by a service that runs at another time, and is stopped then. */
async function checkAt(dataDir: string, clock: ClockShift, days: number, name: string): Promise<void> {
  clock.set((days * DAY_MS) / 1000);
  await using service = await startService(dataDir, RETENTION, clock.env);
  const { timestamp } = await service.result(`http://${name}.example/`);
  // Else the clock would not be the one that was asked for, and the rest of the test say nothing.
  expect(Math.abs(Date.parse(timestamp) - Date.now() - days * DAY_MS)).toBeLessThan(DAY_MS / 2);
  await service.result(`http://${name}.example/`, true);
}

async function logged(dataDir: string): Promise<string[][]> {
  const read = async (...flags: string[]) => {
    const { stdout } = await lurecheck(['log', '--data-dir', dataDir, '--format', 'tsv', ...flags]);
    return stdout
      .split('\n')
      .flatMap((line) => /^http:\/\/(\w+)\.example/.exec(line)?.[1] ?? [])
      .toSorted();
  };
  return [await read(), await read('--private')];
}

test('a start at another time loses no check, however far the clock has jumped in either direction', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const clock = createClockShift(join(directory.path, 'clock'));
  const names: string[] = [];
  for (const days of [-40, 0, 10, 3650, -3650, 0, 31, -1, 0]) {
    const name = `start${names.length}`;
    await checkAt(dataDir, clock, days, name);
    names.push(name);
    expect(await logged(dataDir)).toEqual([names, names]);
  }
});

test('a start removes the checks that are older than the retention by the observed time', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const clock = createClockShift(join(directory.path, 'clock'));
  await checkAt(dataDir, clock, -40, 'old');
  writeFileSync(join(dataDir, 'retention.clock'), `${new Date().toISOString()}\n`);
  await checkAt(dataDir, clock, 0, 'new');
  expect(await logged(dataDir)).toEqual([['new'], ['new']]);
});

test('doctor reports a clock that is before the build of the program', async () => {
  await using directory = temporaryDirectory();
  const command = [await executable(), 'doctor', '--network', 'none', '--data-dir', directory.path];
  const { exitCode, stdout } = Bun.spawnSync(['faketime', '2020-01-01 00:00:00', ...command]);
  expect([exitCode, stdout.toString().includes('fault   clock: The clock shows 2020-01-01T')]).toEqual([1, true]);
});

test('a clock that is set back while the service runs loses no check, and affects no key and no limit', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const made = Bun.spawnSync([await executable(), 'key', 'create', 'gate', '--limit', '6', '--data-dir', dataDir]);
  const key = made.stdout.toString().trim();
  const clock = createClockShift(join(directory.path, 'clock'));
  await using service = await startService(dataDir, ['--rate-limit', '6'], clock.env);
  const statusOf = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ url: 'http://a.example/' });
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    return (await fetch(`${service.url}/api/check-url`, init)).status;
  };
  const times: number[] = [];
  for (const days of [0, -1, -4000, 1, -1, 0]) {
    clock.set((days * DAY_MS) / 1000);
    // Each within its limit, whatever the time is; and a seventh of each is beyond it.
    expect([days, await statusOf({}), await statusOf({ authorization: `Bearer ${key}` })]).toEqual([days, 200, 200]);
    const [newest] = (await service.history()).items;
    times.push(Math.round((Date.parse(newest?.timestamp ?? '') - Date.now()) / DAY_MS));
  }
  expect([await statusOf({}), await statusOf({ authorization: `Bearer ${key}` })]).toEqual([429, 429]);
  expect((await service.history()).items).toHaveLength(12);
  // Else the clock would not have been what it was set to.
  expect(times).toContain(1);
  expect(await service.stop()).toBe(0);
});
