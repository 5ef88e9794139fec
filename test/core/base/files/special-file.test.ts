import { expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { endlessFileProblem } from '#src/core/base/files/named-file.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('a device, a named pipe and a socket are distinguished from finite files', async () => {
  await using directory = temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  await Bun.write(at('file'), 'a.example\n');
  Bun.spawnSync(['mkfifo', at('pipe')]);
  const server = createServer().listen(at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  const remedy = 'expected a file, or /dev/stdin with a pipe';
  expect(endlessFileProblem(at('pipe'))).toBe(`is a named pipe; ${remedy}`);
  expect(endlessFileProblem(at('socket'))).toBe(`is a socket; ${remedy}`);
  for (const device of ['/dev/zero', '/dev/random', '/dev/full']) {
    expect(endlessFileProblem(device)).toBe(`is a device; ${remedy}`);
  }
  for (const path of [at('file'), directory.path, at('none'), '/dev/null']) expect(endlessFileProblem(path)).toBeNull();
  server.close();
});
