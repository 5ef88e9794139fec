import type { BrowserAnswer, BrowserTask } from './browser-thread.ts';
import { CdpError } from './cdp/transport.ts';
import { type KeptBrowser, keepBrowser } from './process/keep-browser.ts';
import { type VisitedPage, type VisitOrder, visitPage } from './visit/visit-page.ts';

declare const self: Worker;

let kept: KeptBrowser | null = null;

const answer = (message: BrowserAnswer) => self.postMessage(message);

/** Entry point of the thread that drives the browser. */
self.onmessage = async ({ data: task }: MessageEvent<BrowserTask>) => {
  if (task.kind === 'open') {
    kept = keepBrowser(task.browser, task.folder, (state) => answer({ kind: 'state', state }));
  } else if (task.kind === 'visit') {
    await visit(task.id, task.order);
  } else {
    await kept?.[Symbol.asyncDispose]();
    answer({ kind: 'closed' });
  }
};

async function visit(id: number, order: VisitOrder): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new CdpError('timeout', `no page within ${order.timeoutMs} ms`)),
    order.timeoutMs,
  );
  const endsMs = performance.now() + order.timeoutMs;
  let visited: VisitedPage | null = null;
  try {
    if (kept === null) throw new CdpError('closed', 'no browser is open');
    const { cdp } = await Promise.race([kept.get(), late.promise]);
    visited = visitPage(cdp, order, endsMs);
    answer({ kind: 'visited', id, page: await Promise.race([visited.page, late.promise]) });
  } catch (error) {
    const isLate = error instanceof CdpError && error.code === 'timeout';
    const problem = error instanceof Error ? error.message : String(error);
    answer({ kind: 'failed', id, status: isLate ? 'timeout' : 'error', problem });
  } finally {
    clearTimeout(timer);
    await visited?.leave();
    answer({ kind: 'left', id });
  }
}
