import { expect, test } from 'bun:test';
import { chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { openLog } from '../checks/store/open-log.ts';

const NOBODY = 65534;
const CHILD = `${import.meta.dir}/../checks/store/append-child.ts`;

const MAIN = `${import.meta.dir}/../../src/main.ts`;

/** Runs a script as this user, or, where this user is root and may do everything, as nobody. */
async function runAsOther(script: string, ...args: string[]): Promise<{ exitCode: number; stderr: string }> {
  const drop = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const child = Bun.spawn([...drop, process.execPath, script, ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const stderr = await child.stderr.text();
  return { exitCode: await child.exited, stderr };
}

test.each([
  ['the directory', (directory: string) => chmodSync(directory, 0o000)],
  ['its files', (directory: string) => readdirSync(directory).map((file) => chmodSync(`${directory}/${file}`, 0o000))],
  [
    'writing to its files',
    (directory: string) => readdirSync(directory).map((file) => chmodSync(`${directory}/${file}`, 0o444)),
  ],
])('without permission for %s the log does not open, and the error names a solution', async (_, forbid) => {
  await using directory = temporaryDirectory();
  {
    await using log = await openLog(directory.path);
    await log.append(sampleRecord());
  }
  if (process.getuid?.() === 0) chownSync(directory.path, NOBODY, NOBODY);
  forbid(directory.path);
  const { exitCode, stderr } = await runAsOther(CHILD, directory.path, 'serve', '1');
  chmodSync(directory.path, 0o700);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('cannot be opened for writing');
  expect(stderr).toContain('choose another data directory');
});

test('a file without read permission is reported as an error of the setting that names it', async () => {
  await using directory = temporaryDirectory();
  const path = `${directory.path}/list.txt`;
  writeFileSync(path, 'evil.example\n', { mode: 0o000 });
  chmodSync(directory.path, 0o755);
  const where = ['--data-dir', `${directory.path}/data`, '--block-list', path];
  expect(await runAsOther(MAIN, 'check', '--network', 'none', ...where, 'https://example.com/')).toEqual({
    exitCode: 2,
    stderr: `lurecheck: block_list is "${path}", which may not be read by this user\n`,
  });
});
