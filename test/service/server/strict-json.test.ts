import { expect, test } from 'bun:test';
import { readStrictJson } from '#src/service/server/http/field-errors.ts';
import { createRandom } from '#test/support/random.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const refusalOf = (text: string) => {
  const json = readStrictJson(bytes(text));
  return 'refusal' in json ? json.refusal : null;
};

test('a duplicate member is named at any level, also in escaped form', () => {
  expect(refusalOf('{"a":1,"b":2,"a":3}')).toContain('"a"');
  expect(refusalOf('{"x":[{"y":{"deep":1,"deep":1}}]}')).toContain('"deep"');
  expect(refusalOf('{"private_mode":true,"private\\u005fmode":false}')).toContain('"private_mode"');
  expect(refusalOf('{"a" \t\r\n :1,"a"\n:2}')).toContain('"a"');
  expect(refusalOf('{"__proto__":1,"__proto__":2}')).toContain('"__proto__"');
  expect(refusalOf('{"":1,"":2}')).toContain('""');
});

test('the same name in different objects, or as a value, is not a duplicate', () => {
  expect(refusalOf('{"a":{"a":{"a":"a"}},"b":[{"a":1},{"a":2},"a","a"]}')).toBeNull();
  expect(refusalOf('{"a":"\\"a\\":1,","b":"a"}')).toBeNull();
  expect(refusalOf('["a","a"]')).toBeNull();
});

test('text that is not UTF-8, starts with a byte order mark, or is nested too deeply is refused', () => {
  expect(readStrictJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ refusal: expect.stringContaining('UTF-8') });
  expect(readStrictJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toEqual({
    refusal: expect.stringContaining('UTF-8'),
  });
  expect(refusalOf('\ufeff{}')).toContain('byte order mark');
  expect(refusalOf('['.repeat(32) + ']'.repeat(32))).toBeNull();
  expect(refusalOf('['.repeat(33) + ']'.repeat(33))).toContain('deep');
  expect(refusalOf(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`)).not.toBeNull();
  expect(refusalOf('['.repeat(32_768))).toBe('The body is not JSON.');
});

test('the output of JSON.stringify is parsed to the same value', () => {
  const random = createRandom(1);
  const names = ['a', 'b', 'url', '"', '\\', '\\"', '{', '}', ':', ',', ' ', '\u2028', '\ud83d\ude00', '__proto__x'];
  const scalars = [null, true, false, 0, -1.5e-7, '', '"', '\\', '{"a":1,"a":1}', '\ud83d\ude00', ']', ...names];
  const anyValue = (depth: number): unknown => {
    const kind = random.below(depth > 4 ? 2 : 4);
    if (kind < 2) return random.pick(scalars);
    const length = random.below(4);
    return kind === 2
      ? Array.from({ length }, () => anyValue(depth + 1))
      : Object.fromEntries(Array.from({ length }, () => [random.pick(names), anyValue(depth + 1)]));
  };
  for (let n = 0; n < 2000; n++) {
    const value = anyValue(0);
    for (const indent of [0, 2]) {
      expect(readStrictJson(bytes(JSON.stringify(value, null, indent)))).toEqual({ value });
    }
  }
});

test('any bytes are parsed or refused without an exception, and the value is equal to that of JSON.parse', () => {
  const random = createRandom(2);
  const alphabet = '{}[]":,\\ \n0a1eu-.tfn\ufeff';
  for (let n = 0; n < 20_000; n++) {
    const text = random.text(24, alphabet);
    const json = readStrictJson(bytes(text));
    if ('value' in json) expect(json.value).toEqual(JSON.parse(text));
    else expect(json.refusal.length).toBeGreaterThan(10);
  }
});
