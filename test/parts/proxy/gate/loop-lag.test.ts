import { expect, test } from 'bun:test';
import { createLoopLag } from '#src/parts/proxy/gate/loop-lag.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

test('the event loop is late from 50 ms after a due tick until a tick is on time', () => {
  const clock = createHeldClock();
  const lag = createLoopLag(clock);
  const after = (ms: number) => {
    clock.nowMs += ms;
    return lag.isBehind();
  };
  expect(after(75)).toBe(false);
  expect(after(1)).toBe(true);
  lag.tick();
  expect(lag.isBehind()).toBe(true);
  expect(after(25)).toBe(true);
  lag.tick();
  expect(lag.isBehind()).toBe(false);
});
