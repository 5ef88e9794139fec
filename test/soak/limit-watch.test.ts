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

test('as many as the limit within a minute are as promised, and one more is not', () => {
  expect(watched(LIMIT, 100).judge()).toEqual([]);
  expect(watched(LIMIT + 1, 100).judge()).toEqual(['21 requests of 192.0.2.7 in life 1 were admitted within a minute']);
});

test('a place that comes free after a minute, and a new life, admit again', () => {
  expect(watched(4 * LIMIT, 3000).judge()).toEqual([]);
  expect(watched(2 * LIMIT, 100, (n) => Math.floor(n / LIMIT)).judge()).toEqual([]);
});

test('what is refused takes no place', () => {
  const watch = watched(LIMIT, 100);
  for (let n = 0; n < LIMIT; n++) watch.note('192.0.2.7', 1, reply(5000 + n, n % 2 === 0 ? 429 : 503));
  expect(watch.judge()).toEqual([]);
  expect([watch.admitted, watch.refused]).toEqual([LIMIT, LIMIT / 2]);
});
