import { expect, test } from 'bun:test';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { sampleRecord } from '#test/support/sample-record.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { filesOf } from '../checks/store/files-of.ts';
import { openLog } from '../checks/store/open-log.ts';

const NOBODY = 65534;
const CHILD = `${import.meta.dir}/../checks/store/append-child.ts`;

const MAIN = `${import.meta.dir}/../../src/main.ts`;

/** Runs a script as this user, or, where this user is root and may do everything, as nobody. */
async function runAsOther(
  script: string,
  ...args: string[]
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const drop = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const child = Bun.spawn([...drop, process.execPath, script, ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
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
    stdout: '',
    stderr: `lurecheck: block_list is "${path}", which may not be read by this user\n`,
  });
});

/** Logs two checks, and returns a copy of the files with a `?` in its path, made before or after the logs are closed. */
async function copyLogs(directory: string, when: 'running' | 'stopped'): Promise<string> {
  const [data, copy] = [`${directory}/data`, `${directory}/copy of 50 %?`];
  const copyFiles = () => {
    mkdirSync(copy);
    for (const file of readdirSync(data)) copyFileSync(`${data}/${file}`, `${copy}/${file}`);
  };
  {
    await using log = await openLog(data);
    await log.append(sampleRecord());
    await log.append(sampleRecord());
    if (when === 'running') copyFiles();
  }
  if (when === 'stopped') copyFiles();
  return copy;
}

/** Hashes of the files in a directory, by name. */
function digestsOf(directory: string): Map<string, string> {
  return new Map(
    [...filesOf(directory)].map(([name, bytes]) => [name, new Bun.CryptoHasher('sha256').update(bytes).digest('hex')]),
  );
}

/** Forbids the other user to write to a folder, and with `files` to its files too. */
function forbidWriting(directory: string, path: string, { files }: { readonly files: boolean }): void {
  for (const name of readdirSync(path)) {
    chmodSync(`${path}/${name}`, files ? 0o444 : 0o666);
    if (process.getuid?.() === 0) chownSync(`${path}/${name}`, NOBODY, NOBODY);
  }
  chmodSync(directory, 0o755);
  chmodSync(path, 0o555);
}

test.each([
  ['stopped', { files: true }],
  ['stopped', { files: false }],
  ['running', { files: true }],
] as const)(
  'reads a copy of the logs of a %s service that it may not write (%o), and changes nothing',
  async (when, forbidden) => {
    await using directory = temporaryDirectory();
    const copy = await copyLogs(directory.path, when);
    forbidWriting(directory.path, copy, forbidden);
    const before = digestsOf(copy);
    for (const command of [
      ['log', '--format', 'tsv'],
      ['log', 'export', '--format', 'csv'],
    ]) {
      const { exitCode, stdout, stderr } = await runAsOther(MAIN, ...command, '--data-dir', copy);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout.split('\n').filter((line) => line.includes('https://www.example.com/'))).toHaveLength(2);
    }
    expect(digestsOf(copy)).toEqual(before);
    chmodSync(copy, 0o700);
  },
);

test('refuses a copy that it may not write, if commits cannot be read without writing', async () => {
  await using directory = temporaryDirectory();
  const copy = await copyLogs(directory.path, 'running');
  for (const visibility of ['public', 'private']) rmSync(`${copy}/${visibility}.sqlite-shm`);
  forbidWriting(directory.path, copy, { files: true });
  const before = digestsOf(copy);
  expect(await runAsOther(MAIN, 'log', '--data-dir', copy)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining(`${copy}/public.sqlite-wal`),
  });
  expect(digestsOf(copy)).toEqual(before);
  chmodSync(copy, 0o700);
});
