import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#src/core/base/clock.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { backupName, scheduledBackupsIn, startScheduledBackups } from '#src/parts/backup/archive/scheduled-backups.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { until } from '#test/support/until.ts';

const NOON_MS = new Date(2026, 10, 23, 12).getTime();

/** A schedule at three o'clock whose clock stands, and that writes empty files. */
function schedule(folder: string, write: (path: string) => Promise<void> = async (path) => writeFileSync(path, '')) {
  const clock = { nowMs: NOON_MS, now: () => clock.nowMs, monotonicMs: () => clock.nowMs };
  const events: string[] = [];
  let looks = 0;
  const at = () => {
    looks++;
    return { hour: 3, minute: 0 };
  };
  const parts = { at, folder, keep: () => 2, write, clock, everyMs: 1 };
  const logger = createLogger('debug', (line) => events.push(JSON.parse(line).event));
  const someLooks = async () => {
    const seen = looks;
    await until(() => looks > seen + 2);
  };
  return { clock, events, someLooks, backups: startScheduledBackups({ ...parts, logger }) };
}

function written(folder: string, madeMs: number, name = backupName(madeMs)): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  utimesSync(path, madeMs / 1000, madeMs / 1000);
  return name;
}

test('a missed backup is made at once, and only once', async () => {
  await using directory = temporaryDirectory();
  const folder = join(directory.path, 'made/by/it');
  const { events, someLooks, backups } = schedule(folder);
  await using _ = backups;
  await until(() => events.length > 0);
  await someLooks();
  expect(events).toEqual(['backup.done']);
  expect(readdirSync(folder)).toEqual([backupName(NOON_MS)]);
});

test('a restart makes no second backup on the same day, and the next day makes another', async () => {
  await using directory = temporaryDirectory();
  written(directory.path, NOON_MS - 1000);
  const { clock, events, someLooks, backups } = schedule(directory.path);
  await using _ = backups;
  await someLooks();
  expect(events).toEqual([]);
  clock.nowMs += DAY_MS;
  await until(() => events.length > 0);
  expect(events).toEqual(['backup.done']);
});

test('the oldest scheduled backups are deleted, and no other file', async () => {
  await using directory = temporaryDirectory();
  const names = [3, 2, 1].map((days) => written(directory.path, NOON_MS - days * DAY_MS));
  written(directory.path, 0, 'mine.backup');
  const { events, backups } = schedule(directory.path);
  await using _ = backups;
  await until(() => events.length > 0);
  expect(readdirSync(directory.path).toSorted()).toEqual(
    [names[2] ?? '', backupName(NOON_MS), 'mine.backup'].toSorted(),
  );
});

test('a failed backup is logged and reported, and deletes no earlier backup', async () => {
  await using directory = temporaryDirectory();
  for (const days of [3, 2, 1]) written(directory.path, NOON_MS - days * DAY_MS);
  const { events, backups } = schedule(directory.path, async () => {
    throw new Error('the disk is full');
  });
  await using _ = backups;
  await until(() => events.length > 0);
  expect(events).toEqual(['backup.failed']);
  expect(backups.status()).toMatchObject({ problem: 'the disk is full' });
  expect(scheduledBackupsIn(directory.path)).toHaveLength(3);
});

test('a folder that cannot be read is reported, and keeps nothing else from working', async () => {
  await using directory = temporaryDirectory();
  const folder = join(directory.path, 'mount');
  writeFileSync(folder, '');
  const { events, backups } = schedule(folder);
  await using _ = backups;
  await until(() => events.length > 0);
  expect(events).toEqual(['backup.failed']);
  const problem = `${folder} cannot be read as a folder (ENOTDIR)`;
  expect(backups.status()).toEqual({ newestMs: null, problem });
  rmSync(folder);
  expect(backups.status()).toEqual({ newestMs: null, problem });
});

test('a folder that becomes unreadable after a backup is reported', async () => {
  await using directory = temporaryDirectory();
  const folder = join(directory.path, 'mount');
  mkdirSync(folder);
  written(folder, NOON_MS - 1000);
  const { backups } = schedule(folder);
  await using _ = backups;
  expect(backups.status()).toEqual({ newestMs: NOON_MS - 1000, problem: null });
  renameSync(folder, `${folder}.away`);
  expect(backups.status()).toEqual({ newestMs: null, problem: null });
  writeFileSync(folder, '');
  expect(backups.status()).toEqual({ newestMs: null, problem: `${folder} cannot be read as a folder (ENOTDIR)` });
});
