import { beforeAll, expect, test } from 'bun:test';
import { searchWorst, type WorstInputs } from '#test/slow/search.ts';

/**
 * How many checks of an ordinary link one input may cost the thread that serves everybody: about 5 ms on a quiet machine. A
 * busy one slows both down.
 */
const MOST_CHECKS = 50;
/** Maximum processor time for a page of the thread that reads it (`html_timeout_seconds`), in milliseconds. */
const PAGE_MS = 1000;

let worst: WorstInputs;

beforeAll(async () => {
  worst = await searchWorst({ seed: 20261122, climbs: 2, steps: 120, pageSteps: 10 });
});

test.each(['url', 'body', 'pageServed'] as const)(
  'the slowest %s that a search finds costs the serving thread less than 50 ordinary checks',
  (kind) => {
    const { ms, input } = worst[kind];
    expect(ms / worst.ordinaryMs, input.slice(0, 300)).toBeLessThan(MOST_CHECKS);
  },
);

test('the slowest page that a search finds is read and scored within its budget', () => {
  const { ms, input } = worst.pageInThread;
  expect(ms, input.slice(0, 300)).toBeLessThan(PAGE_MS);
});
