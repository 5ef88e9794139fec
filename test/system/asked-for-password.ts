import { FailureError } from '#src/core/base/failure.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { pageProbe } from '#src/network/probes/page.ts';
import type { PageVisit } from '#src/network/probes/page-visit.ts';
import { openLoopback } from '#test/network/egress/loopback.ts';
import { targetOf } from '#test/support/target.ts';
import type { TestBrowser } from './ui-browser.ts';

/** Whether a victim is asked for a password; an answer that the browser downloads or refuses asks nobody. */
export async function isAskedInChromium(browser: TestBrowser, url: string): Promise<boolean> {
  await using watched = await browser.open('about:blank');
  // What is not a page, or not whole, ends in an error; what is shown by then counts.
  await watched.page.goto(url, { waitUntil: 'domcontentloaded', timeout: 5000 }).catch(() => {});
  return (await watched.page.locator('input[type=password]').count()) > 0;
}

/** What the page probe sees at a URL of this machine, or the code of why it sees nothing. */
export async function visit(url: string): Promise<PageVisit | string> {
  const target = targetOf(url);
  await using egress = openLoopback([target.port]);
  const context = {
    egressClient: egress.client(),
    readPage: (bytes: Uint8Array, source: Parameters<typeof readPage>[1]) => Promise.resolve(readPage(bytes, source)),
    pageTimeoutMs: 30_000,
  };
  return await pageProbe.observe(target, context, new AbortController().signal).catch((error: unknown) => {
    if (error instanceof FailureError) return error.code;
    throw error;
  });
}

/** Whether there is a form with a password in what the probe saw. */
export function holdsPassword(seen: PageVisit | string): boolean {
  return typeof seen !== 'string' && JSON.stringify(seen.document?.forms).includes('password');
}
