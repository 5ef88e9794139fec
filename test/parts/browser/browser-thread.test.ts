import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { type BrowserThread, openBrowserThread } from '#src/parts/browser/browser-thread.ts';
import type { BrowserState } from '#src/parts/browser/process/keep-browser.ts';
import { VIEWPORTS } from '#src/parts/browser/visit/visit-page.ts';
import { PATIENT_MS } from '#test/support/patience.ts';
import { temporaryDirectory } from '#test/support/temporary-directory.ts';
import { stubProgram, untilGroupEnds } from './stub-program.ts';

const ORDER = {
  ...{ url: 'http://shop.example/', proxyPort: 9, timeoutMs: PATIENT_MS },
  ...{ userAgent: null, hasScripts: true, takesPicture: false },
  viewport: VIEWPORTS.desktop,
};

const temporary = process.env['TMPDIR'];
let folder: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  folder = temporaryDirectory();
  process.env['TMPDIR'] = folder.path;
});

afterEach(async () => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await folder[Symbol.asyncDispose]();
});

/** Runs a thread with a stub, and returns the process groups that it had. */
async function withThread(kind: string, run: (thread: BrowserThread) => Promise<void>): Promise<Set<number | null>> {
  await using programs = temporaryDirectory();
  const states: BrowserState[] = [];
  await using thread = openBrowserThread(await stubProgram(programs.path, kind), (state) => states.push(state));
  await run(thread);
  await thread[Symbol.asyncDispose]();
  return new Set(states.map(({ group }) => group).filter((group) => group !== null));
}

describe('a visit of a browser that hangs', () => {
  test('ends with its time, and leaves neither process nor folder behind', async () => {
    const groups = await withThread('hangs', async (thread) => {
      const { outcome } = thread.visit({ ...ORDER, timeoutMs: 1 }, new AbortController().signal);
      expect(await outcome).toEqual({ status: 'timeout', problem: 'no page within 1 ms' });
    });
    for (const group of groups) await untilGroupEnds(group);
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('ends with its check', async () => {
    await withThread('hangs', async (thread) => {
      const check = new AbortController();
      const { outcome } = thread.visit(ORDER, check.signal);
      check.abort();
      expect(await outcome).toMatchObject({ status: 'timeout' });
    });
  });
});

test('a thread that fails ends its browser and its visits, and removes its folder', async () => {
  const groups = await withThread('garbles', async (thread) => {
    const { outcome, left } = thread.visit(ORDER, new AbortController().signal);
    expect(await outcome).toMatchObject({ status: 'error' });
    await left;
    expect(thread.state.problem).toStartWith('the thread of the browser failed: ');
    const next = thread.visit(ORDER, new AbortController().signal);
    expect(await next.outcome).toEqual({ status: 'error', problem: thread.state.problem ?? '' });
  });
  expect(groups.size).toBe(1);
  for (const group of groups) await untilGroupEnds(group);
  expect(await readdir(folder.path)).toEqual([]);
});

test('a browser whose folder cannot be made fails its visit alone, and one at an address needs none', async () => {
  await withThread('hangs', async (thread) => {
    process.env['TMPDIR'] = `${folder.path}/missing`;
    const { outcome } = thread.visit(ORDER, new AbortController().signal);
    expect(await outcome).toMatchObject({ status: 'error', problem: expect.stringContaining('ENOENT') });
    expect(thread.state.problem).toContain('ENOENT');
  });
  await using thread = openBrowserThread('ws://127.0.0.1:1', () => {});
  const { outcome } = thread.visit(ORDER, new AbortController().signal);
  expect(await outcome).toMatchObject({ status: 'error', problem: expect.not.stringContaining('ENOENT') });
});
