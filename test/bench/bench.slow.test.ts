import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { parseAs } from '#test/support/parse-as.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { FIGURES } from './figures.ts';
import { canSlowDisk, SLOW_DISK_FIGURES } from './measure-slow-disk.ts';
import { BenchReportSchema } from './report.ts';
import { entriesOf } from './table.ts';

const LITTLE = ['--rounds', '2', '--warmUps', '20', '--requests', '20', '--openSeconds', '0.05', '--checks', '600'];

async function bench(args: readonly string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts'), ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode };
}

test('the benchmark measures every figure, and writes them to a file', async () => {
  await using directory = temporaryDirectory();
  const file = join(directory.path, 'bench.json');
  const { stderr, stdout } = await bench([...LITTLE, '--lines', '300', '--json', file]);
  expect(stderr).toBe('');
  const report = parseAs(BenchReportSchema, await Bun.file(file).json());
  const measured = entriesOf(FIGURES).filter(([name]) => canSlowDisk() || !SLOW_DISK_FIGURES.includes(name));
  expect(Object.keys(report.figures).toSorted()).toEqual(measured.map(([name]) => name).toSorted());
  expect(report.checks).toBe(600);
  for (const [, { what }] of measured) expect(stdout).toContain(`| ${what} |`);
});

test('an invalid plan is refused before anything is measured', async () => {
  const wrong = await bench(['--rounds', 'many']);
  expect(wrong.stderr).toContain('--rounds many: not a number above 0');
  expect(wrong.exitCode).toBe(1);
  expect((await bench(['--only', 'luck'])).stderr).toContain('--only luck: choose of start, pipe');
});
