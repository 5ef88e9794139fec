import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('refuses devices, sockets and named pipes in one sentence, before it reads them', async () => {
  await using directory = temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  Bun.spawnSync(['mkfifo', at('pipe')]);
  const server = createServer().listen(at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  const data = ['--data-dir', at('data')];
  const commands = [
    ['lists', 'import', 'ours'],
    ['pack', 'verify'],
    ['pack', 'install'],
    ['backup', 'verify'],
    ['backup', 'restore'],
  ];
  const asked = [at('pipe'), at('socket'), '/dev/zero'].flatMap((path) =>
    commands.map((command) => [[...command, path, ...data], path] as const),
  );
  // The service starts without a list that it cannot read; a check by hand does not.
  const settings = [at('pipe'), '/dev/zero'].map(
    (path) => [['check', '--block-list', path, '--network', 'none', 'https://a.example/'], path] as const,
  );
  const keys = ['client-key-file', 'backup-key-file'].flatMap((key) =>
    [at('pipe'), '/dev/urandom'].map((path) => [['config', 'check', `--${key}`, path], path] as const),
  );
  for (const [command, path] of [...asked, ...settings, ...keys]) {
    const { exitCode, stdout, stderr } = await lurecheck(command);
    expect([command, exitCode, stdout]).toEqual([command, 2, '']);
    expect(stderr).toMatch(/^lurecheck: .*is a (?:device|socket|named pipe); expected a file/);
    expect(stderr).toContain(path);
  }
  expect(existsSync(at('data'))).toBe(false);
  server.close();
});

test('reports an empty device as an empty list', async () => {
  await using directory = temporaryDirectory();
  const { exitCode, stderr } = await lurecheck(['lists', 'import', 'ours', '/dev/null', '--data-dir', directory.path]);
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^lurecheck: null (?:is|holds|has) [^\n]+\n$/)]);
});
