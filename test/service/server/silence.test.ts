import { expect, test } from 'bun:test';
import { silenceSecondsOf } from '#src/service/server/http/client-addresses.ts';

test.each([
  [8, 38],
  [0.5, 31],
  [225, 255],
  // Beyond 255 seconds, the platform has no timeout but none.
  [225.5, 0],
  [600, 0],
])('a connection may be silent while a check of %d seconds runs, and half a minute more: %d s', (deadline, seconds) => {
  expect(silenceSecondsOf({ deadline_seconds: deadline })).toBe(seconds);
});
