import { expect, test } from 'bun:test';
import type { Reason } from '#src/checks/record/check-result.ts';
import { inDisplayOrder } from '#src/checks/record/reasons/caution.ts';

const reason = (code: string, weight: number): Reason => ({
  component: code.startsWith('url.') ? 'url' : 'brand',
  code,
  message: code,
  args: {},
  weight,
});
const codes = (reasons: readonly Reason[]) => reasons.map(({ code }) => code);

test('puts reasons that a person can verify before impressions of the model, whatever their weights', () => {
  const reasons = [
    reason('url.words', 3),
    reason('url.name', 2),
    reason('url.other_patterns', -1.5),
    reason('brand.name_in_subdomain', 0.8),
    reason('url.popular_site', -0.9),
  ];
  expect(codes(inDisplayOrder(reasons))).toEqual([
    'url.popular_site',
    'brand.name_in_subdomain',
    'url.words',
    'url.name',
  ]);
});

test('does not put a reason with a negligible weight first', () => {
  expect(codes(inDisplayOrder([reason('url.words', 1), reason('url.platform', 0.1)]))).toEqual([
    'url.words',
    'url.platform',
  ]);
});

test('omits only reasons without a sentence, and does not modify its input', () => {
  const given = Object.freeze([reason('url.other_patterns', 4), reason('url.path', 1), reason('url.brand', -0.5)]);
  expect(new Set(inDisplayOrder(given))).toEqual(new Set(given.slice(1)));
});
