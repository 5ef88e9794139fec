import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { createRegistryThrottle, createSingleFlight, readRetryAfter } from '#src/network/probes/registry-throttle.ts';
import { createHeldClock } from '#test/support/held-clock.ts';

const { signal } = new AbortController();
/** Lets everything happen that waits for nothing but its turn. */
const everythingThatCan = () => new Promise((resolve) => setImmediate(resolve));

test('a server is paused for its Retry-After seconds, at most ten minutes, and one minute by default', () => {
  expect(['0', '1', '120', '600', '601', '999999999'].map(readRetryAfter)).toEqual([
    ...[0, 1000, 120_000, 600_000, 600_000, 600_000],
  ]);
  const others = [undefined, '', '-1', '1.5', '1e3', ' 5', '5 s', 'Wed, 21 Oct 2026 07:28:00 GMT', '1'.repeat(10)];
  expect(others.map(readRetryAfter)).toEqual(others.map(() => 60_000));
});

test('a pause starts when the server requests it, and applies to that server only', () => {
  const clock = createHeldClock(5000);
  const registryThrottle = createRegistryThrottle(clock);
  expect(registryThrottle.isPaused('a.example')).toBe(false);
  registryThrottle.pause('a.example', 1000);
  expect(['a.example', 'b.example'].map(registryThrottle.isPaused)).toEqual([true, false]);
  clock.nowMs = 5999;
  expect(registryThrottle.isPaused('a.example')).toBe(true);
  clock.nowMs = 6000;
  expect(registryThrottle.isPaused('a.example')).toBe(false);
});

test('a server receives two requests at a time, and 200 more can wait', async () => {
  const registryThrottle = createRegistryThrottle(createHeldClock());
  const entered: number[] = [];
  const enter = async (at: number) => {
    const permit = await registryThrottle.acquire('a.example', signal);
    entered.push(at);
    return permit;
  };
  const permits = Array.from({ length: 202 }, (_, at) => enter(at));
  await everythingThatCan();
  expect(entered).toEqual([0, 1]);
  await expect(registryThrottle.acquire('a.example', signal)).rejects.toMatchObject({ code: 'overloaded' });
  using _other = await registryThrottle.acquire('b.example', signal);
  (await permits[0])?.[Symbol.dispose]();
  await everythingThatCan();
  expect(entered).toEqual([0, 1, 2]);
  for (const permit of permits.slice(1)) (await permit)[Symbol.dispose]();
});

describe('concurrent identical queries', () => {
  test('share one result or failure, and later queries run again', async () => {
    const share = createSingleFlight<number>();
    const gates = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    let asked = 0;
    const work = () => gates[asked++]?.promise ?? Promise.resolve(asked);
    const both = [share('a', signal, work), share('a', signal, work)];
    const other = share('b', signal, () => Promise.resolve(7));
    expect(await other).toBe(7);
    gates[0]?.resolve(1);
    expect(await Promise.all(both)).toEqual([1, 1]);
    const failing = [share('a', signal, work), share('a', signal, work)];
    gates[1]?.reject(new FailureError('timeout'));
    const codes = failing.map((one) => one.catch((error) => error.code));
    expect(await Promise.all(codes)).toEqual(['timeout', 'timeout']);
    expect(await share('a', signal, work)).toBe(3);
    expect(asked).toBe(3);
  });

  test('end with their own signal, while the others receive the result', async () => {
    const share = createSingleFlight<number>();
    const gate = Promise.withResolvers<number>();
    const controller = new AbortController();
    const first = share('a', signal, () => gate.promise);
    const leaves = share('a', controller.signal, () => Promise.resolve(0)).catch((error) => error.code);
    controller.abort();
    expect(await leaves).toBe('aborted');
    gate.resolve(1);
    expect(await first).toBe(1);
  });

  test('run again if the first one was aborted, but share an internal error', async () => {
    const share = createSingleFlight<number>();
    const cut = share('a', signal, () => Promise.reject(new FailureError('aborted'))).catch((error) => error.code);
    const other = share('a', signal, () => Promise.resolve(2));
    expect([await cut, await other]).toEqual(['aborted', 2]);
    const fault = new TypeError('a fault');
    const failed = share('b', signal, () => Promise.reject(fault)).catch((error) => error);
    const shared = share('b', signal, () => Promise.resolve(2)).catch((error) => error);
    expect([await failed, await shared]).toEqual([fault, fault]);
  });
});
