import { expect, test } from 'bun:test';
import { createLimitWatch, LIMIT } from './limit-watch.ts';

const reply = (sentMs: number, status = 400) =>
  ({ kind: 'answered', status, sentMs, endedMs: sentMs + 5, retryAfter: null, requestId: null, body: '' }) as const;

/** A client that is admitted `count` times, one each `everyMs`. */
function watched(count: number, everyMs: number, lifeOf: (n: number) => number = () => 1) {
  const watch = createLimitWatch();
  for (let n = 0; n < count; n++) watch.note('192.0.2.7', lifeOf(n), reply(n * everyMs));
  return watch;
}

test('as many admissions within a minute as the limit are accepted, and one more is reported', () => {
  expect(watched(LIMIT, 100).judge()).toEqual([]);
  expect(watched(LIMIT + 1, 100).judge()).toEqual(['21 requests of 192.0.2.7 in life 1 were admitted within a minute']);
});

test('admissions after a minute, and after a restart, are accepted', () => {
  expect(watched(4 * LIMIT, 3000).judge()).toEqual([]);
  expect(watched(2 * LIMIT, 100, (n) => Math.floor(n / LIMIT)).judge()).toEqual([]);
});

test('a refused request takes no place', () => {
  const watch = watched(LIMIT, 100);
  for (let n = 0; n < LIMIT; n++) watch.note('192.0.2.7', 1, reply(5000 + n, n % 2 === 0 ? 429 : 503));
  expect(watch.judge()).toEqual([]);
  expect([watch.admitted, watch.refused]).toEqual([LIMIT, LIMIT / 2]);
});
