import { expect, test } from 'bun:test';
import { EVERY_CHECK } from '#src/checks/store/read/check-filter.ts';
import { rowFilter } from '#src/checks/store/read/search.ts';
import { createRequestId } from '#src/core/base/request-id.ts';

const NOW = Date.UTC(2026, 0, 31);
const row = (host: string | null, url = 'https://url.example/') => ({ requestId: createRequestId(NOW), host, url });

test('without limits, every check matches', () => {
  expect(rowFilter(EVERY_CHECK)(row(null))).toBeTrue();
});

test.each([
  [NOW, null, true],
  [NOW + 1, null, false],
  [NOW - 1, NOW + 1, true],
  [null, NOW, false],
  [null, NOW + 1, true],
])('a check of the current time matches from %p and before %p: %p', (fromMs, untilMs, matches) => {
  expect(rowFilter({ ...EVERY_CHECK, fromMs, untilMs })(row('a.example'))).toBe(matches);
});

test.each([
  ['shop.example', 'www.shop.example', true],
  ['shop.example', 'shop.example', true],
  ['shop.example', 'myshop.example', false],
  ['url.example', null, true],
  ['shop.example', null, false],
  ['no domain', 'shop.example', false],
])('the domain %s matches a check of the host %p: %p', (domain, host, matches) => {
  expect(rowFilter({ ...EVERY_CHECK, domain })(row(host))).toBe(matches);
});
