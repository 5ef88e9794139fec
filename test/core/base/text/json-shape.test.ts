import { describe, expect, test } from 'bun:test';
import { type TSchema, Type } from '@sinclair/typebox';
import { stringEnum } from '#src/checks/record/bounded-schema.ts';
import { parseJson, readShape } from '#src/core/base/text/json-shape.ts';

const Person = Type.Object(
  {
    name: Type.String(),
    age: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
    mood: Type.Union([Type.Literal('glad'), Type.Null()]),
    colour: stringEnum(['red', 'green']),
    pets: Type.Array(Type.Object({ name: Type.String() })),
  },
  { additionalProperties: false },
);
const ANNA = { name: 'Anna', mood: null, colour: 'red', pets: [{ name: 'Cat' }] };

describe('a value', () => {
  test('of the right shape is returned unchanged, not copied', () => {
    const shaped = readShape(Person, ANNA);
    expect<unknown>('value' in shaped && shaped.value).toBe(ANNA);
  });

  test.each([
    [[], 'it must be an object'],
    [null, 'it must be an object'],
    [undefined, 'it must be an object'],
    [{ ...ANNA, name: undefined }, '"name" must be a text'],
    [{ mood: null, colour: 'red', pets: [] }, '"name" is missing'],
    [{ ...ANNA, nmae: 1 }, '"nmae" is not a member of it'],
    [{ ...ANNA, age: -1 }, '"age" must be a whole number from 0 to 200'],
    [{ ...ANNA, age: '7' }, '"age" must be a whole number from 0 to 200'],
    [{ ...ANNA, mood: 'sad' }, '"mood" must be "glad" or null'],
    [{ ...ANNA, colour: 'blue' }, '"colour" must be one of red, green'],
    [{ ...ANNA, pets: [{ name: 'Cat' }, { name: 7 }] }, '"pets.1.name" must be a text'],
    [{ ...ANNA, 'a/b~c': 1 }, '"a/b~c" is not a member of it'],
    [{ ...ANNA, ['x'.repeat(500)]: 1 }, `"${'x'.repeat(80)}…" is not a member of it`],
  ])('of another shape is reported with its first problem: %j', (value, problem) => {
    expect(readShape(Person, value)).toEqual({ problem });
  });

  test('that almost matches one of several shapes is compared with the nearest one', () => {
    const seen = (value: TSchema) => Type.Object({ state: Type.Literal('seen'), value });
    const Sight = Type.Union([
      Type.Object({ state: Type.Literal('none') }),
      seen(Type.Object({ deep: Type.String() })),
    ]);
    expect(readShape(Sight, { state: 'seen', value: { deep: 7 } })).toEqual({ problem: '"value.deep" must be a text' });
    expect(readShape(Sight, { state: 'seen' })).toEqual({ problem: '"value" is missing' });
    expect(readShape(Sight, { state: 'felt' })).toEqual({ problem: '"state" must be "none" or "seen"' });
    expect(readShape(Sight, [])).toEqual({ problem: 'it must be an object' });
    const Maybe = Type.Object({ sight: Type.Union([Sight, Type.Null()]) });
    expect(readShape(Maybe, { sight: { state: 'seen', value: {} } })).toEqual({
      problem: '"sight.value.deep" is missing',
    });
    expect(readShape(Maybe, { sight: 7 })).toEqual({ problem: '"sight" must be an object or null' });
  });
});

test('text that is not JSON is parsed as undefined', () => {
  expect(['', '{', 'undefined', '{"a":1}x'].map(parseJson)).toEqual([undefined, undefined, undefined, undefined]);
  expect(['null', ' {"a":1} ', '7'].map(parseJson)).toEqual([null, { a: 1 }, 7]);
});
