import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { answer, breachOf } from '#src/service/server/http/answer.ts';

test('an answer is held against its schema from the first time to the thousandth and beyond', () => {
  const schema = answer(Type.Object({ share: Type.Number({ minimum: 0, maximum: 1 }) }), { description: 'A share.' });
  for (let n = 0; n < 1_100; n++) {
    expect(breachOf(schema, { share: n / 1_100 })).toBeNull();
    expect(breachOf(schema, { share: 2 })).toBe('"share" must be a number from 0 to 1');
  }
});

test('what is no answer has no breach', () => {
  expect(breachOf(Type.String(), 5)).toBeNull();
});
