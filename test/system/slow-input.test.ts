import { beforeAll, expect, test } from 'bun:test';
import { searchWorst, type WorstInputs } from '#test/slow/search.ts';

/** What one input may cost the thread that serves everybody, in milliseconds of processor time. */
const SERVING_MS = 5;
/** What a page may cost the thread that reads and judges it (`html_timeout_seconds`). */
const PAGE_MS = 1000;

let worst: WorstInputs;

beforeAll(async () => {
  worst = await searchWorst({ seed: 20261122, climbs: 2, steps: 120, pageSteps: 10 }, SERVING_MS);
});

test.each([
  ['URL', 'url', SERVING_MS],
  ['body', 'body', SERVING_MS],
  ['page', 'pageServed', SERVING_MS],
] as const)('the most expensive %s that a search finds costs the serving thread under 5 ms', (_, kind, limitMs) => {
  const { ms, input } = worst[kind];
  expect(ms, input.slice(0, 300)).toBeLessThan(limitMs);
});

test('the most expensive page that a search finds is read and scored within its budget', () => {
  const { ms, input } = worst.pageInThread;
  expect(ms, input.slice(0, 300)).toBeLessThan(PAGE_MS);
});
