import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { readExecuted } from '../../.ci/mutation/executed.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const REPORT = `TN:
SF:src/a.ts
DA:1,7
DA:2,0
DA:3,0
DA:5,1
end_of_record
TN:
SF:src/b.ts
DA:1,0
end_of_record
`;

test.each([
  ['a line that ran', 'src/a.ts', 1, 'x', true],
  ['a line that did not run', 'src/a.ts', 2, 'x', false],
  ['lines of which none ran', 'src/a.ts', 2, 'x\ny', false],
  ['lines of which one ran', 'src/a.ts', 1, 'x\ny', true],
  ['a line without a count', 'src/a.ts', 4, 'x', true],
  ['a line of another file', 'src/b.ts', 1, 'x', false],
  ['a file of a thread or process', 'src/thread.ts', 1, 'x', true],
])('reports for %s if a test can detect its mutant', async (_, path, line, before, isExecuted) => {
  await using directory = temporaryDirectory();
  const report = join(directory.path, 'lcov.info');
  await Bun.write(report, REPORT);
  expect((await readExecuted(report))({ path, line, before })).toBe(isExecuted);
});

test('without a report, every line counts as executed', async () => {
  expect((await readExecuted('/nowhere/lcov.info'))({ path: 'src/a.ts', line: 2, before: 'x' })).toBeTrue();
});
