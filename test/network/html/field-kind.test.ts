import { describe, expect, test } from 'bun:test';
import { FIELD_WORDS } from '#src/core/knowledge/words/markup-words.ts';
import { classifyField } from '#src/network/html/form-collector.ts';

const labelled = (label: string) =>
  classifyField({ type: 'text', name: '', id: '', autocomplete: '', style: '', label });

/** The texts that a pattern stands for, as far as it has no more than optional parts and choices. */
function textsOf(pattern: string): string[] {
  const part = /\(\?:([^()]*)\)(\?)?|\[([^\]]*)\]|(\\?.)\?/.exec(pattern);
  if (!part) return [pattern.replaceAll('\\', '')];
  const [whole, choices, isOptional, letters, optional] = part;
  const ways = choices?.split('|') ?? letters?.split('') ?? [optional ?? '', ''];
  if (isOptional) ways.push('');
  return ways.flatMap((way) => textsOf(pattern.slice(0, part.index) + way + pattern.slice(part.index + whole.length)));
}

describe('every label in the word list is classified as its kind', () => {
  for (const [rank, { kind, label }] of FIELD_WORDS.entries()) {
    test(kind, () => {
      const rarer = FIELD_WORDS.slice(0, rank + 1).map((words) => words.kind as string);
      const texts = Object.values(label).flatMap((patterns: readonly string[]) => patterns.flatMap(textsOf));
      for (const text of texts) {
        expect([text, rarer]).toEqual([text, expect.arrayContaining([labelled(text)])]);
        expect([text, rarer]).toEqual([text, expect.arrayContaining([labelled(`${text}:`)])]);
      }
    });
  }
});

test('does not match a field word inside another word', () => {
  expect(labelled('Длинный текст')).toBe('other');
  expect(labelled('Spinning')).toBe('other');
});
