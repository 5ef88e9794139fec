import { describe, expect, test } from 'bun:test';
import { FailureError } from '#src/core/base/failure.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { indexList } from '#src/network/lists/named-list.ts';
import { parseList } from '#src/network/lists/parse.ts';
import { observeLists } from '#src/network/probes/lists.ts';
import { withGracePeriod } from '#src/network/probes/run.ts';
import { observeSavedPage } from '#src/network/probes/saved-page.ts';
import { targetOf } from '#test/support/target.ts';

const TARGET = targetOf('https://shop.example/a#b');

describe('a probe after its deadline', () => {
  /** Timers strike in the order in which they are due, however busy the machine is. */
  const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(resolve, ms, value));
  const over = () => AbortSignal.abort(new FailureError('timeout'));
  const never = new Promise<string>(() => {});

  test('has 100 ms to return a partial result', async () => {
    expect(await withGracePeriod(over(), after(50, 'in part'))).toBe('in part');
  });

  test.each([
    ['before it began', over],
    [
      'while it looked',
      () => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(new FailureError('timeout')), 5);
        return controller.signal;
      },
    ],
  ])('aborted %s is abandoned after the grace period', async (_, open) => {
    const left = withGracePeriod(open(), never).catch((error) => error.code);
    expect(await Promise.race([left, after(300, 'still waited for')])).toBe('timeout');
  });

  test('returns its own failure, and is awaited if its deadline has not passed', async () => {
    const { signal } = new AbortController();
    expect(await withGracePeriod(signal, after(1, 'all of it'))).toBe('all of it');
    const failed = withGracePeriod(signal, Promise.reject(new FailureError('connection_reset')));
    expect(await failed.catch((error) => error.code)).toBe('connection_reset');
  });
});

describe('a saved page', () => {
  const saved = { bytes: new TextEncoder().encode('<title>Shop</title>'), contentType: 'text/html', statusCode: 203 };

  test('is observed as an answer of the target', async () => {
    const document = { title: 'Shop', limits: [] } as never;
    const asked: unknown[] = [];
    const seen = await observeSavedPage(TARGET, saved, async (bytes, source) => {
      asked.push([bytes, source]);
      return document;
    });
    expect(asked).toEqual([[saved.bytes, { contentType: 'text/html', url: 'https://shop.example/a' }]]);
    expect(seen).toMatchObject({
      state: 'observed',
      value: { statusCode: 203, contentLength: 19, finalUrl: 'https://shop.example/a', redirects: [], stopped: null },
    });
  });

  test('returns the targets of its refreshes without following them', async () => {
    const html = '<meta http-equiv=refresh content="5;url=http://next.example/b"><p>Please wait</p>';
    const bytes = new TextEncoder().encode(html);
    const seen = await observeSavedPage(TARGET, { ...saved, bytes }, async (given, source) => readPage(given, source));
    const exits = seen.state === 'observed' ? seen.value.exits : [];
    expect(exits).toEqual([{ how: 'refresh', url: 'http://next.example/b' }]);
  });

  test('that exceeds its parser budget is reported as stopped, and an internal error is thrown', async () => {
    const failing = (error: Error) => observeSavedPage(TARGET, saved, () => Promise.reject(error));
    expect(await failing(new FailureError('parser_budget_exceeded'))).toMatchObject({
      state: 'observed',
      value: { document: null, contentLength: 19, stopped: { code: 'parser_budget_exceeded' } },
    });
    await expect(failing(new TypeError('a fault'))).rejects.toThrow('a fault');
  });
});

describe('the lists of the operator', () => {
  const listOf = (name: string, text: string) => ({ name, changedAtMs: null, index: indexList(parseList(text)) });
  const hit = listOf('first', 'other.example\nshop.example');
  const again = listOf('second', 'shop.example');
  const miss = listOf('third', 'other.example');

  test('are searched if there is at least one of either kind', () => {
    const none = { blocked: null, allowed: null };
    expect(observeLists({ block: [], allow: [], stored: [] }, TARGET, 0)).toEqual({
      state: 'skipped',
      reason: 'disabled',
    });
    for (const lists of [
      { block: [miss], allow: [], stored: [] },
      { block: [], allow: [miss], stored: [] },
    ]) {
      expect(observeLists(lists, TARGET, 0)).toEqual({ state: 'observed', value: none, elapsedMs: 0 });
    }
  });

  test('report the first match with its list and line', () => {
    expect(observeLists({ block: [miss, hit, again], allow: [again], stored: [] }, TARGET, 0)).toEqual({
      state: 'observed',
      value: {
        blocked: { list: 'first', entry: 'shop.example', line: 2 },
        allowed: { list: 'second', entry: 'shop.example', line: 1 },
      },
      elapsedMs: 0,
    });
  });
});
