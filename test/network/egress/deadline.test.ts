import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { untilAborted, withDeadline } from '#src/network/egress/budget/semaphore.ts';

const never = new AbortController().signal;

describe('work with a deadline', () => {
  test('ends at its deadline, and with the signal of its caller', async () => {
    const waiting = (signal: AbortSignal) => untilAborted<void>(signal, () => () => {});
    await expect(withDeadline(never, 10, waiting)).rejects.toMatchObject({ code: 'timeout' });
    await expect(withDeadline(AbortSignal.timeout(10), 60_000, waiting)).rejects.toMatchObject({ code: 'aborted' });
    const outer = withDeadline(never, 10, (signal) => withDeadline(signal, 60_000, waiting));
    await expect(outer).rejects.toMatchObject({ code: 'timeout' });
  });

  test('does not start if the signal is already aborted', async () => {
    let began = false;
    const ended = withDeadline(AbortSignal.abort(), 1000, async () => {
      began = true;
    });
    await expect(ended).rejects.toMatchObject({ code: 'aborted' });
    expect(began).toBeFalse();
  });
});

describe('waiting for a callback or an abort', () => {
  test('cleans up once for every outcome', async () => {
    const abort = new AbortController();
    const ways: ((resolve: (value: string) => void, reject: (error: Error) => void) => void)[] = [
      (resolve) => resolve('at once'),
      (resolve) => setTimeout(() => resolve('later')),
      (_, reject) => reject(new FailureError('unreachable')),
      (resolve, reject) =>
        setTimeout(() => {
          resolve('later');
          reject(new FailureError('unreachable'));
        }),
      (resolve, reject) => {
        resolve('first');
        reject(new FailureError('unreachable'));
        abort.abort();
      },
    ];
    for (const way of ways) {
      let cleanUps = 0;
      await untilAborted<string>(way === ways.at(-1) ? abort.signal : never, (resolve, reject) => {
        way(resolve, reject);
        return () => cleanUps++;
      }).catch(() => {});
      expect(cleanUps).toBe(1);
    }
  });

  test('does not start if the signal is already aborted', async () => {
    let began = false;
    const aborted = untilAborted(AbortSignal.abort(new FailureError('timeout')), () => {
      began = true;
      return () => {};
    });
    await expect(aborted).rejects.toMatchObject({ code: 'timeout' });
    expect(began).toBeFalse();
  });

  test('rethrows an error that is thrown synchronously', async () => {
    const throwing = untilAborted(never, () => {
      throw new TypeError('a fault');
    });
    await expect(throwing).rejects.toBeInstanceOf(TypeError);
  });
});

test('a deadline in the past is an ordinary timeout, without a warning from the runtime', async () => {
  const warnings: unknown[] = [];
  const note = (warning: unknown) => warnings.push(warning);
  process.on('warning', note);
  const late = withDeadline(new AbortController().signal, -50, (signal) => untilAborted(signal, () => () => {}));
  const failure = await late.catch((error: unknown) => error);
  process.off('warning', note);
  expect(failure).toMatchObject({ code: 'timeout', message: expect.stringContaining('within 0 ms') });
  expect(warnings).toEqual([]);
});
