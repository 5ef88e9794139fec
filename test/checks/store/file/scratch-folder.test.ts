import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { makeScratchFolder, removeAbandonedScratch } from '#src/checks/store/file/scratch-folder.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

const temporary = process.env['TMPDIR'];
let folder: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  folder = temporaryDirectory();
  process.env['TMPDIR'] = folder.path;
});

afterEach(async () => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await folder[Symbol.asyncDispose]();
});

/** Makes the lock of a folder an old one. */
const age = (path: string) => utimesSync(`${path}/.lock`, 1, 1);

test('folders of killed processes are removed, those in use, new, foreign or readable for others stay', async () => {
  const killed = Bun.spawnSync([process.execPath, '-e', SCRIPT], {
    ...{ cwd: import.meta.dir, env: process.env, stderr: 'inherit' },
  });
  expect(killed.signalCode).toBe('SIGKILL');
  const [left = ''] = await readdir(folder.path);
  const path = `${folder.path}/${left}`;
  await removeAbandonedScratch('own-');
  expect(await readdir(folder.path)).toEqual([left]);
  age(path);
  await using used = makeScratchFolder('own-');
  age(used.path);
  mkdirSync(`${folder.path}/other-1`);
  // Killed before it made its lock.
  mkdirSync(`${folder.path}/own-bare`, { mode: 0o700 });
  utimesSync(`${folder.path}/own-bare`, 1, 1);
  mkdirSync(`${folder.path}/own-open`);
  writeFileSync(`${folder.path}/own-open/.lock`, '');
  age(`${folder.path}/own-open`);
  chmodSync(`${folder.path}/own-open`, 0o755);
  await removeAbandonedScratch('own-');
  const names = (await readdir(folder.path)).map((name) => `${folder.path}/${name}`);
  expect(names.toSorted()).toEqual([used.path, `${folder.path}/other-1`, `${folder.path}/own-open`].toSorted());
});

test('no link in the place of a folder is followed', async () => {
  mkdirSync(`${folder.path}/victim`, { mode: 0o700 });
  writeFileSync(`${folder.path}/victim/.lock`, 'text', { mode: 0o644 });
  age(`${folder.path}/victim`);
  symlinkSync(`${folder.path}/victim`, `${folder.path}/own-link`);
  await removeAbandonedScratch('own-');
  expect((await readdir(folder.path)).toSorted()).toEqual(['own-link', 'victim']);
  expect(statSync(`${folder.path}/victim/.lock`).mode & 0o777).toBe(0o644);
});

const SCRIPT = `
  const { makeScratchFolder } = await import('#src/checks/store/file/scratch-folder.ts');
  const { path } = makeScratchFolder('own-');
  await Bun.write(path + '/profile/file', 'text');
  process.kill(process.pid, 'SIGKILL');
`;
