import { expect, test } from 'bun:test';
import { memoizeLatest, memoizeLatestTwo } from '#src/core/base/memoize-latest.ts';

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

test('results of two keys that take turns are calculated once each, those of a third again', () => {
  const asked: string[] = [];
  const find = memoizeLatestTwo((key: string) => {
    asked.push(key);
    return key.length;
  });
  expect(['a', 'bb', 'a', 'bb', 'bb', 'a', 'ccc', 'a', 'bb'].map(find)).toEqual([1, 2, 1, 2, 2, 1, 3, 1, 2]);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'bb']);
});
