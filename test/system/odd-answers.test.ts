import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { FailureError } from '#src/base/failure.ts';
import { readPage } from '#src/html/read-page.ts';
import { pageProbe } from '#src/probes/page.ts';
import type { PageVisit } from '#src/probes/page-visit.ts';
import { openLoopback } from '#test/egress/loopback.ts';
import { ODD_ANSWERS } from '#test/egress/odd-answers.ts';
import { type ScriptServer, serveScript } from '#test/egress/script-server.ts';
import { targetOf } from '#test/support/target.ts';
import { openBrowser, type TestBrowser } from './ui-browser.ts';

/**
 * Longer than what is read of a page: Chromium shows the form, and the page probe says that it did not see the page
 * whole, which is evidence of its own.
 */
const LONGER_THAN_READ = /behind 2\.5 MiB/;

let server: ScriptServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await serveScript((path) => ODD_ANSWERS[Number(path.slice(1))]?.bytes ?? Buffer.from('HTTP/1.1 404 No\n\n'));
  browser = await openBrowser();
});

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Whether a victim is asked for a password; an answer that the browser downloads or refuses asks nobody. */
async function isAskedInChromium(url: string): Promise<boolean> {
  await using watched = await browser.open('about:blank');
  // What is not a page, or not whole, ends in an error; what is shown by then counts.
  await watched.page.goto(url, { waitUntil: 'domcontentloaded', timeout: 5000 }).catch(() => {});
  return (await watched.page.locator('input[type=password]').count()) > 0;
}

async function visit(url: string): Promise<PageVisit | string> {
  await using egress = openLoopback([server.port]);
  const context = {
    door: egress.door(),
    readPage: (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => Promise.resolve(readPage(bytes, source)),
    pageTimeoutMs: 30_000,
  };
  return await pageProbe.observe(targetOf(url), context, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof FailureError) return error.code;
    throw error;
  });
}

describe('where Chromium shows a form, so is it read:', () => {
  for (const [index, { name }] of ODD_ANSWERS.entries()) {
    test(name, async () => {
      const url = `http://127.0.0.1:${server.port}/${index}`;
      if (!(await isAskedInChromium(url))) return;
      const seen = await visit(url);
      if (LONGER_THAN_READ.test(name)) expect(seen).toMatchObject({ truncated: true });
      else expect(JSON.stringify(typeof seen === 'string' ? seen : seen.document?.forms)).toContain('password');
    });
  }
});
