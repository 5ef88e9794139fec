import { describe, expect, test } from 'bun:test';
import { roomOf } from '#test/support/layers.ts';
import { literalsIn } from '#test/support/literals.ts';
import { readSources } from '#test/support/source-files.ts';
import { growthOf, MOST_GROWTH } from './growth.ts';
import { attacksOn } from './regex-attacks.ts';

/** Rooms whose expressions read nothing but what the project itself wrote. */
const OWN_TEXT = /^(?:training|service\/manual)\//;

const EXPRESSION = /^\/(.+)\/([a-z]*)$/s;

/** The expressions of the program by the room in which they stand. */
const byRoom = Map.groupBy(
  (await readSources())
    .filter(({ path }) => !OWN_TEXT.test(path))
    .flatMap(({ path, text }) => literalsIn(text).map((literal) => ({ path, literal })))
    .flatMap(({ path, literal }) => {
      const [, source, flags] = literal.startsWith('/') ? (EXPRESSION.exec(literal) ?? []) : [];
      return source === undefined ? [] : [{ path, expression: new RegExp(source, flags) }];
    }),
  ({ path }) => roomOf(path),
);

/** Searches as the program does: for all that fits where the expression is global. */
function search(expression: RegExp, text: string): void {
  expression.lastIndex = 0;
  if (expression.global) text.replace(expression, '');
  else expression.test(text);
}

/** The attack under which the time grows the most, and how much; null where none grows faster than the text. */
async function worstOf(expression: RegExp): Promise<object | null> {
  for (const { start, pump, end } of attacksOn(expression)) {
    const texts = new Map<number, string>();
    const textOf = (length: number) =>
      texts.getOrInsertComputed(length, () => start + pump.repeat(Math.ceil(length / pump.length)) + end);
    const growth = await growthOf((length) => search(expression, textOf(length)));
    if (growth > MOST_GROWTH) return { start, pump, end, growth };
  }
  return null;
}

test('finds the regular expressions, and reports those with quadratic time', async () => {
  expect(byRoom.get('engine/message')?.length).toBeGreaterThan(30);
  expect([...byRoom.values()].flat().length).toBeGreaterThan(600);
  for (const slow of [/[^\s<>"`|]*$/, /a\s*b?\s*c/, /<[^>]*x/]) {
    expect([slow.source, await worstOf(slow)]).not.toEqual([slow.source, null]);
  }
  for (const fast of [/^[^\s<>]*$/, /={1,2}$/, /(?<!=)=+$/, /[^a]+/g, /<[^<>]*>/]) {
    expect([fast.source, await worstOf(fast)]).toEqual([fast.source, null]);
  }
});

describe('doubling the text multiplies the search time by at most 2.5, in every part of an expression', () => {
  test.each([...byRoom.keys()].toSorted())('%s', async (room) => {
    const slow: object[] = [];
    for (const { path, expression } of byRoom.get(room) ?? []) {
      const worst = await worstOf(expression);
      if (worst !== null) slow.push({ path, expression: String(expression), ...worst });
    }
    expect(slow).toEqual([]);
  });
});
