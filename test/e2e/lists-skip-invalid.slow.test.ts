import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('lists import --skip-invalid imports the valid lines, and reports the others with line and reason', async () => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'feed.txt');
  writeFileSync(file, 'a.example\nnot a host\n*.b.example\nftp://c.example/\n');
  const run = (...args: string[]) => lurecheck(['lists', ...args, '--data-dir', join(directory.path, 'data')]);
  const refused = await run('import', 'feed', file, '--yes');
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('nothing was changed')]);
  const taken = await run('import', 'feed', file, '--yes', '--skip-invalid');
  expect(taken.exitCode).toBe(0);
  expect(taken.stdout).toMatch(/^read as plain; 2 lines were not understood:\n/);
  expect(taken.stdout).toContain('\nfeed: 2 entries (2 new)\n');
  expect(taken.stdout).toMatch(/ {2}line 2: "not a host" contains white space.*\n {2}line 4: "ftp:\/\/c\.example\/" /);
  expect((await run('test', 'https://www.b.example/')).stdout).toContain('feed');
});
