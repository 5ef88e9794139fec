import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { type BrowserState, keepBrowser } from '#src/parts/browser/process/keep-browser.ts';
import { startBrowser } from '#src/parts/browser/process/start-browser.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { isGroupAlive, stubProgram, untilGroupEnds } from './stub-program.ts';

describe('a browser that is started', () => {
  test('answers, and ends with all of its processes, even if it does not want to', async () => {
    await using folder = temporaryDirectory();
    for (const kind of ['good', 'stubborn']) {
      const browser = await startBrowser(await stubProgram(folder.path, kind), { folder: folder.path });
      expect([browser.product, isGroupAlive(browser.group)]).toEqual(['Stub/1', true]);
      await browser[Symbol.asyncDispose]();
      await untilGroupEnds(browser.group);
    }
  });

  test('that does not start leaves nothing behind, and is named', async () => {
    await using folder = temporaryDirectory();
    const fails = await stubProgram(folder.path, 'fails');
    await expect(startBrowser(fails, { folder: folder.path })).rejects.toThrow(
      'the browser ended during Browser.getVersion',
    );
    await expect(startBrowser('/no/such', { folder: folder.path })).rejects.toThrow('/no/such: no such program');
    expect((await readdir(folder.path)).toSorted()).toEqual(['browser-fails']);
  });
});

describe('a browser that is kept', () => {
  test('starts when it is needed, and again after its end', async () => {
    await using folder = temporaryDirectory();
    const states: BrowserState[] = [];
    await using kept = keepBrowser(await stubProgram(folder.path, 'good'), folder.path, (state) => states.push(state));
    expect(states).toEqual([]);
    const first = await kept.get();
    expect(await kept.get()).toBe(first);
    process.kill(-(first.group ?? 0), 'SIGKILL');
    await first.cdp.closed;
    await new Promise(setImmediate);
    expect(states.slice(0, 3).map(({ problem }) => problem)).toEqual([null, null, 'Stub/1 ended unexpectedly']);
    // Its group is known before it answers, and until it is gone.
    expect(states[2]?.group).toBe(first.group);
    expect(states[0]).toMatchObject({ product: null, group: first.group });
    expect((await kept.get()).group).not.toBe(first.group);
    expect(states[3]).toMatchObject({ group: null, problem: 'Stub/1 ended unexpectedly' });
    expect(states.at(-1)).toMatchObject({ product: 'Stub/1', problem: null });
  });

  test('that hangs without an end is ended with its processes, and started again', async () => {
    await using folder = temporaryDirectory();
    const states: BrowserState[] = [];
    await using kept = keepBrowser(await stubProgram(folder.path, 'hangs'), folder.path, (state) => states.push(state));
    const first = await kept.get();
    const hanging = first.cdp.call('Page.enable', {}, { sessionId: 'a page', timeoutMs: 1 });
    await expect(hanging).rejects.toThrow('no answer to Page.enable');
    expect(await kept.get()).toBe(first);
    const unanswered = first.cdp.call('Target.disposeBrowserContext', { browserContextId: 'x' }, { timeoutMs: 1 });
    await expect(unanswered).rejects.toThrow('no answer to Target.disposeBrowserContext');
    expect(await first.cdp.closed).toBe('hung');
    await first[Symbol.asyncDispose]();
    await untilGroupEnds(first.group);
    expect(states.at(-1)?.problem).toBe('Stub/1 does not answer');
    const second = await kept.get();
    expect([second === first, isGroupAlive(second.group)]).toEqual([false, true]);
  });

  test('is not started again at once if it fails in a row', async () => {
    await using folder = temporaryDirectory();
    const states: BrowserState[] = [];
    await using kept = keepBrowser(await stubProgram(folder.path, 'fails'), folder.path, (state) => states.push(state));
    for (let at = 0; at < 5; at++) await kept.get().catch(() => null);
    expect(states.filter(({ problem }) => problem !== null).length).toBeLessThan(5);
  });
});
