import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { answer, breachOf } from '#src/service/server/http/answer.ts';

test('an answer is validated against its schema, also after more than a thousand validations', () => {
  const schema = answer(Type.Object({ share: Type.Number({ minimum: 0, maximum: 1 }) }), { description: 'A share.' });
  for (let n = 0; n < 1_100; n++) {
    expect(breachOf(schema, { share: n / 1_100 })).toBeNull();
    expect(breachOf(schema, { share: 2 })).toBe('"share" must be a number from 0 to 1');
  }
});

test('a value of a schema that is not an answer is not validated', () => {
  expect(breachOf(Type.String(), 5)).toBeNull();
});
