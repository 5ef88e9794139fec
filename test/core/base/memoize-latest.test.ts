import { expect, test } from 'bun:test';
import { memoizeLatest } from '#src/core/base/memoize-latest.ts';

test('an answer is worked out once for as long as the same thing is asked about, also where it is nothing', () => {
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
