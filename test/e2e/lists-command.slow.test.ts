import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { onTerminal } from '#test/support/terminal.ts';

// What the command prints and refuses is tested in its own process: `test/parts/lists/command`.
test('lists import asks on a terminal, and a check applies what was confirmed', async () => {
  await using directory = temporaryDirectory();
  const { path: dataDir } = directory;
  const feed = join(dataDir, 'feed.txt');
  writeFileSync(feed, 'evil.example\n');
  const lists = (...args: string[]) => lurecheck(['lists', ...args, '--data-dir', dataDir]);
  const alone = await lists('import', 'feed', feed);
  expect([alone.exitCode, alone.stderr]).toEqual([2, expect.stringContaining('stdin is not a terminal: pass --yes')]);
  for (const [answer, exitCode, shown] of [
    ['n', 1, 'no lists\n'],
    ['y', 0, 'feed\tblock\tfinal\t1 entry\toperator\t'],
  ] as const) {
    using terminal = await onTerminal(['lists', 'import', 'feed', feed, '--data-dir', dataDir]);
    await terminal.until('Activate feed? [y/N] ');
    terminal.type(`${answer}\r`);
    expect(await terminal.exited).toBe(exitCode);
    expect((await lists('show')).stdout).toStartWith(shown);
  }
  const check = await lurecheck(['check', 'http://evil.example', '--network', 'none', '--data-dir', dataDir]);
  expect(check.stdout).toContain('on the block list feed since');
});
