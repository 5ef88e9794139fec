import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserState, keepBrowser } from '#src/parts/browser/process/keep-browser.ts';
import { startBrowser } from '#src/parts/browser/process/start-browser.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';

/** Writes a program that runs the stub under a shell that waits for it, as Debian's program does. */
async function program(folder: string, kind: string): Promise<string> {
  const path = join(folder, `browser-${kind}`);
  await writeFile(path, `#!/bin/sh -e\n"${process.execPath}" "${import.meta.dir}/stub-browser.ts" "${kind}"\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns whether a process of a group runs; one that ended and was not reaped yet does not. */
function isAlive(group: number | null): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      const [state, , own] = readFileSync(`/proc/${Number(pid)}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return Number(own) === group && state !== 'Z';
    } catch {
      return false;
    }
  });
}

describe('a browser that is started', () => {
  test('answers, and ends with all of its processes, even if it does not want to', async () => {
    await using folder = temporaryDirectory();
    for (const kind of ['good', 'stubborn']) {
      const browser = await startBrowser(await program(folder.path, kind));
      expect([browser.product, isAlive(browser.group)]).toEqual(['Stub/1', true]);
      await browser[Symbol.asyncDispose]();
      expect(isAlive(browser.group)).toBe(false);
    }
  });

  test('that does not start leaves nothing behind, and is named', async () => {
    await using folder = temporaryDirectory();
    const fails = await program(folder.path, 'fails');
    expect(startBrowser(fails)).rejects.toThrow('the browser ended during Browser.getVersion');
    expect(startBrowser('/no/such')).rejects.toThrow('/no/such: no such program');
    expect((await readdir(folder.path)).toSorted()).toEqual(['browser-fails']);
  });
});

describe('a browser that is kept', () => {
  test('starts when it is needed, and again after its end', async () => {
    await using folder = temporaryDirectory();
    const states: BrowserState[] = [];
    await using kept = keepBrowser(await program(folder.path, 'good'), (state) => states.push(state));
    expect(states).toEqual([]);
    const first = await kept.get();
    expect(await kept.get()).toBe(first);
    process.kill(-(first.group ?? 0), 'SIGKILL');
    await first.cdp.closed;
    await new Promise(setImmediate);
    expect(states.map(({ problem }) => problem)).toEqual([null, 'Stub/1 ended unexpectedly']);
    expect((await kept.get()).group).not.toBe(first.group);
    expect(states.at(-1)).toMatchObject({ product: 'Stub/1', problem: null });
  });

  test('is not started again at once if it fails in a row', async () => {
    await using folder = temporaryDirectory();
    const states: BrowserState[] = [];
    await using kept = keepBrowser(await program(folder.path, 'fails'), (state) => states.push(state));
    for (let at = 0; at < 5; at++) await kept.get().catch(() => null);
    expect(states.length).toBeLessThan(3);
  });
});
