import { expect, test } from 'bun:test';
import { createReading } from '#src/engine/message/reading.ts';

test('stores the first sentence of each link, for at most 2,000 links', () => {
  const reading = createReading();
  const note = (at: number, before: string) =>
    reading.noteSentence(`https://a.example/${at}`, () => ({ before, after: '' }));
  for (let at = 0; at < 2001; at++) for (const before of ['first', 'second']) note(at, before);
  expect(reading.sentences.size).toBe(2000);
  expect([...new Set(Array.from(reading.sentences.values(), ({ before }) => before))]).toEqual(['first']);
});

test('is complete until the budget is exhausted or something is omitted', () => {
  let isSpent = false;
  const reading = createReading(() => isSpent);
  expect([reading.isSpent(), reading.isWhole]).toEqual([false, true]);
  isSpent = true;
  expect([reading.isSpent(), reading.isWhole]).toEqual([true, false]);
  const other = createReading();
  expect([other.isSpent(), other.isWhole]).toEqual([false, true]);
  other.leaveOut();
  expect(other.isWhole).toBeFalse();
});
