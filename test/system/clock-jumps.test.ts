import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#src/base/clock.ts';
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

test('no start at another time loses a check, whichever way the clock has jumped and however far', async () => {
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
}, 60_000);

test('what has grown old by the time that lurecheck saw pass is removed by just such a start', async () => {
  await using directory = temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const clock = createClockShift(join(directory.path, 'clock'));
  await checkAt(dataDir, clock, -40, 'old');
  writeFileSync(join(dataDir, 'retention.clock'), `${new Date().toISOString()}\n`);
  await checkAt(dataDir, clock, 0, 'new');
  expect(await logged(dataDir)).toEqual([['new'], ['new']]);
}, 60_000);

test('a clock that is before the program was made is told by the doctor', async () => {
  await using directory = temporaryDirectory();
  const command = [await executable(), 'doctor', '--network', 'none', '--data-dir', directory.path];
  const { exitCode, stdout } = Bun.spawnSync(['faketime', '2020-01-01 00:00:00', ...command]);
  expect([exitCode, stdout.toString().includes('fault   clock: By the clock it is 2020-01-01T')]).toEqual([1, true]);
});
