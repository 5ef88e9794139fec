import { expect, test } from 'bun:test';
import { memoizeLatest } from '#src/core/base/memoize-latest.ts';

test('a result is calculated once while the key stays the same, also if it is null', () => {
  const asked: object[] = [];
  const find = memoizeLatest((key: { readonly answer: string | null }) => {
    asked.push(key);
    return key.answer;
  });
  const [one, other] = [{ answer: 'a' }, { answer: null }];
  expect([one, one, other, other, one].map(find)).toEqual(['a', 'a', null, null, 'a']);
  expect(asked).toEqual([one, other, one]);
  // Equal is not the same.
  find({ ...one });
  expect(asked).toHaveLength(4);
});
