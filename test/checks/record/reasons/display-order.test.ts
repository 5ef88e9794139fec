import { expect, test } from 'bun:test';
import type { Reason } from '#src/checks/record/check-result.ts';
import { inTellingOrder } from '#src/checks/record/reasons/display-order.ts';

const reason = (code: string, weight: number): Reason => ({
  component: code.startsWith('url.') ? 'url' : 'brand',
  code,
  message: code,
  args: {},
  weight,
});
const codes = (reasons: readonly Reason[]) => reasons.map(({ code }) => code);

test('what a person can check is told before what the model takes from the whole spelling, however heavy that is', () => {
  const reasons = [
    reason('url.words', 3),
    reason('url.name', 2),
    reason('url.other_patterns', -1.5),
    reason('brand.name_in_subdomain', 0.8),
    reason('url.popular_site', -0.9),
  ];
  expect(codes(inTellingOrder(reasons))).toEqual([
    'url.popular_site',
    'brand.name_in_subdomain',
    'url.words',
    'url.name',
  ]);
});

test('what hardly moves the verdict does not come first for being easy to check', () => {
  expect(codes(inTellingOrder([reason('url.words', 1), reason('url.platform', 0.1)]))).toEqual([
    'url.words',
    'url.platform',
  ]);
});

test('nothing is left out but what has no words, and the reasons given stay as they were', () => {
  const given = Object.freeze([reason('url.other_patterns', 4), reason('url.path', 1), reason('url.brand', -0.5)]);
  expect(new Set(inTellingOrder(given))).toEqual(new Set(given.slice(1)));
});
