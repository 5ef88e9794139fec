import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { lurecheckMeasured } from '#test/support/executable.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

test('check streams many lines in bounded memory', async () => {
  await using directory = temporaryDirectory();
  const path = join(directory.path, 'urls.txt');
  const lines = 20_000;
  const text = Array.from({ length: lines }, (_, i) => `http://example.com/${'x'.repeat(7000)}/${i}\n`).join('');
  writeFileSync(path, text);
  const read = await lurecheckMeasured(['check', '--network', 'none', '--format', 'tsv', '-'], { stdin: { path } });
  expect(read.lines).toBe(lines);
  expect(read.lastLine.split('\t')[0]?.endsWith(`/${lines - 1}`)).toBe(true);
  // Each of at most three threads has a heap of some 100 MB; the lines alone are 140 MB, their answers several times that.
  const threads = Math.min(availableParallelism() - 1, 3);
  expect(read.maxRssBytes).toBeLessThan(250e6 + 100e6 * threads);
  expect(read.maxRssBytes).toBeGreaterThan(0);
});
