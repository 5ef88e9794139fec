import { expect, test } from 'bun:test';
import { oncePerMinute } from '#src/core/base/clock.ts';

test('the first report is immediate, and those of the next minute are combined with the latest value', () => {
  let nowMs = 5;
  const reports: [string, number][] = [];
  const report = oncePerMinute({ monotonicMs: () => nowMs }, (value: string, times) => reports.push([value, times]));
  report('a');
  nowMs += 59_999;
  report('b');
  report('c');
  expect(reports).toEqual([['a', 1]]);
  nowMs += 1;
  report('d');
  expect(reports).toEqual([
    ['a', 1],
    ['d', 3],
  ]);
});
