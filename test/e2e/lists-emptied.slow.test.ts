import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lurecheck } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('lists import never empties a list, says why, and begins its report with the format', async () => {
  await using directory = temporaryDirectory();
  const run = (text: string, ...args: string[]) => {
    const file = join(directory.path, 'feed.txt');
    writeFileSync(file, text);
    const options = ['--yes', '--data-dir', join(directory.path, 'data'), ...args];
    return lurecheck(['lists', 'import', 'feed', file, ...options]);
  };
  const first = await run('# hosts\n0.0.0.0\n0.0.0.0 a.example\n0.0.0.0 b.example\n');
  expect([first.exitCode, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^read as hosts; 1 line was not understood:\n {2}line 2: /),
  ]);
  for (const [text, reason] of [
    ['com\n', 'line 1: com is a public suffix, shared by many sites\nread as plain'],
    ['@@||a.example^\n', 'read as adblock'],
    ['a.example##.ad\n', 'line 1: "a.example##.ad" is about parts of a page\nread as adblock'],
    ['# nothing\n', 'has no entry; nothing was changed, because it would empty the list'],
  ] as const) {
    for (const quiet of [[], ['-q']]) {
      const refused = await run(text, ...quiet);
      expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(reason);
    }
  }
  const emptied = await run('com\n', '--allow-empty');
  expect([emptied.exitCode, emptied.stdout]).toEqual([
    0,
    expect.stringContaining('feed: 0 entries (0 new, 2 removed)'),
  ]);
});
