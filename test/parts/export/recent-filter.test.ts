import { expect, test } from 'bun:test';
import { createRecentFilter } from '#src/parts/export/suspects.ts';

test.each([
  [0, false],
  [49_999, false],
  [50_000, false],
  [99_999, false],
  [100_000, true],
])('after %d other texts, a repeated text is new: %p', (others, isNewAgain) => {
  const isNew = createRecentFilter();
  expect(isNew('a')).toBeTrue();
  for (let count = 0; count < others; count++) if (!isNew(`${count}`)) throw new Error(`${count} is not new`);
  expect(isNew('a')).toBe(isNewAgain);
});
