import { expect, test } from 'bun:test';
import { MINUTE_MS } from '#src/core/base/clock.ts';
import { createClockComparison } from '#src/parts/postgres/nodes/nodes.ts';

const MAX_MS = 5 * MINUTE_MS;
const OFF_MS = 10 * MINUTE_MS;

/** A comparison and the clock of its node, which a test may set. */
function openComparison() {
  const time = { wallMs: 1_700_000_000_000, monotonicMs: 0 };
  const pass = (ms: number) => {
    time.wallMs += ms;
    time.monotonicMs += ms;
  };
  const clock = { now: () => time.wallMs, monotonicMs: () => time.monotonicMs };
  return { time, pass, compare: createClockComparison(MAX_MS, clock).compare };
}

test('without a history the majority of nodes and database decides, and in doubt the node is wrong', () => {
  const { compare } = openComparison();
  expect(compare(OFF_MS, [])).toBe('node');
  expect(compare(OFF_MS, [0])).toBe('node');
  expect(compare(OFF_MS, [OFF_MS])).toBe('database');
  expect(compare(-OFF_MS, [OFF_MS])).toBe('node');
  expect(compare(OFF_MS, [OFF_MS + MINUTE_MS, 0])).toBe('node');
  expect(compare(-OFF_MS, [-OFF_MS, -OFF_MS, 0])).toBe('database');
  expect(compare(MAX_MS, [])).toBe('none');
});

test('a node whose own clock has not jumped since both agreed knows that the clock of the database has', () => {
  const { pass, compare } = openComparison();
  expect(compare(0, [])).toBe('none');
  pass(10_000);
  expect(compare(OFF_MS, [])).toBe('database');
  pass(10_000);
  expect(compare(-OFF_MS, [0, 0])).toBe('database');
  expect(compare(1000, [])).toBe('none');
});

test('a node whose own clock has jumped since is wrong itself', () => {
  const { time, pass, compare } = openComparison();
  expect(compare(0, [])).toBe('none');
  pass(10_000);
  time.wallMs += OFF_MS;
  expect(compare(OFF_MS, [OFF_MS, OFF_MS])).toBe('node');
  time.wallMs -= OFF_MS;
  expect(compare(0, [])).toBe('none');
});
