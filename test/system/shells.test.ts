import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** What a command says of a file that lurecheck printed. */
async function judge(args: readonly string[], command: (path: string) => string[]) {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'printed');
  writeFileSync(path, (await lurecheck(args)).stdout);
  const child = Bun.spawn(command(path), { stdout: 'pipe', stderr: 'pipe', env: { PATH: process.env['PATH'] ?? '' } });
  return { stdout: await child.stdout.text(), stderr: await child.stderr.text(), exitCode: await child.exited };
}

const FINE = { stdout: '', stderr: '', exitCode: 0 };

test.each(['bash', 'zsh', 'fish'])('%s accepts its completion script', async (shell) => {
  expect(await judge(['completions', shell], (path) => [shell, '-n', path])).toEqual(FINE);
});

test('fish completes flags and their values', async () => {
  const offered = async (line: string) => {
    const { stdout } = await judge(['completions', 'fish'], (path) => [
      'fish',
      '--no-config',
      '-c',
      `source ${path}; complete -C '${line}'`,
    ]);
    return stdout.split('\n').map((each) => each.split('\t')[0]);
  };
  expect(await offered('lurecheck check --forma')).toContain('--format');
  expect(await offered('lurecheck check --format nd')).toContain('ndjson');
  expect(await offered('lurecheck brand a')).toContain('add');
});

test('groff reports no warning for the manual page', async () => {
  expect(await judge(['man'], (path) => ['groff', '-ww', '-man', '-Tutf8', '-z', path])).toEqual(FINE);
});
