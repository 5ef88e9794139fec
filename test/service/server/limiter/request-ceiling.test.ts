import { expect, test } from 'bun:test';
import { createRequestCeiling } from '#src/service/server/limiter/local-limiter.ts';

const WINDOW_MS = 1000;

test('the ceiling is free again after at least one window without requests', () => {
  for (const pauseMs of [WINDOW_MS + 100, 2 * WINDOW_MS, 3600 * WINDOW_MS]) {
    const ceiling = createRequestCeiling(2, WINDOW_MS);
    ceiling.count(0);
    ceiling.count(0);
    expect(ceiling.waitMs(0)).toBeGreaterThan(0);
    expect(ceiling.waitMs(pauseMs)).toBe(0);
    ceiling.count(pauseMs);
    expect(ceiling.waitMs(pauseMs)).toBe(0);
    ceiling.count(pauseMs);
    expect(ceiling.waitMs(pauseMs)).toBeGreaterThan(0);
  }
});

test('a client that waits for the returned time is admitted, and not a millisecond earlier', () => {
  for (const countedAtMs of [0, 99, 100, 550, 12_345]) {
    const ceiling = createRequestCeiling(1, WINDOW_MS);
    ceiling.count(countedAtMs);
    const waitMs = ceiling.waitMs(countedAtMs + 300);
    expect(ceiling.waitMs(countedAtMs + 300 + waitMs - 1)).toBe(1);
    expect(ceiling.waitMs(countedAtMs + 300 + waitMs)).toBe(0);
  }
});

test('an uncounted request frees its place once', () => {
  const ceiling = createRequestCeiling(2, WINDOW_MS);
  ceiling.count(0);
  ceiling.count(0);
  ceiling.uncount(0);
  expect(ceiling.waitMs(0)).toBe(0);
  ceiling.count(0);
  expect(ceiling.waitMs(0)).toBeGreaterThan(0);
});

test('uncounting a request older than the window frees no place of the current window', () => {
  const ceiling = createRequestCeiling(1, WINDOW_MS);
  ceiling.count(0);
  // The counts of both times share a place.
  const laterMs = WINDOW_MS + 100;
  ceiling.count(laterMs);
  ceiling.uncount(0);
  expect(ceiling.waitMs(laterMs)).toBeGreaterThan(0);
  ceiling.uncount(laterMs);
  ceiling.uncount(laterMs);
  ceiling.count(laterMs);
  expect(ceiling.waitMs(laterMs)).toBeGreaterThan(0);
});
