import { expect, test } from 'bun:test';
import { suggest } from '#src/core/base/text/edit-distance.ts';

const KNOWN = ['rate_limit', 'rate_limit_cidr', 'host', 'check'];

test('a typing error gets the most similar word as a suggestion', () => {
  expect(suggest('rate_limits', KNOWN)).toBe('; did you mean rate_limit?');
  expect(suggest('rate_limit_cird', KNOWN)).toBe('; did you mean rate_limit_cidr?');
  expect(suggest('chcek', KNOWN)).toBe('; did you mean check?');
});

test('an unrelated word gets no suggestion', () => {
  expect(suggest('colour', KNOWN)).toBe('');
  expect(['foo', 'lgo', 'lo'].map((word) => suggest(word, ['log']))).toEqual([
    '',
    ...Array(2).fill('; did you mean log?'),
  ]);
  expect(suggest('x', [])).toBe('');
  // A third of the letters may be wrong, and two of at least four always.
  expect(suggest('abcdefghi', ['abcdefxyz'])).toBe('; did you mean abcdefxyz?');
  expect(suggest('abcdefgh', ['abcdexyz'])).toBe('');
  expect(suggest('abcd', ['abxy'])).toBe('; did you mean abxy?');
});
