import type { BrowserAnswer, BrowserTask } from './browser-thread.ts';
import { CdpError } from './cdp/transport.ts';
import { type KeptBrowser, keepBrowser } from './process/keep-browser.ts';
import { type VisitOrder, visitPage } from './visit/visit-page.ts';

declare const self: Worker;

let kept: KeptBrowser | null = null;

const answer = (message: BrowserAnswer, transfer: ArrayBuffer[] = []) => self.postMessage(message, transfer);

/** Entry point of the thread that drives the browser. */
self.onmessage = async ({ data: task }: MessageEvent<BrowserTask>) => {
  if (task.kind === 'open') {
    kept = keepBrowser(task.browser, (state) => answer({ kind: 'state', state }));
  } else if (task.kind === 'visit') {
    await visit(task.id, task.order);
  } else {
    await kept?.[Symbol.asyncDispose]();
    answer({ kind: 'closed' });
  }
};

async function visit(id: number, order: VisitOrder): Promise<void> {
  try {
    if (kept === null) throw new CdpError('closed', 'no browser is open');
    const { cdp } = await kept.get();
    const page = await visitPage(cdp, order);
    answer({ kind: 'visited', id, page });
  } catch (error) {
    const isLate = error instanceof CdpError && error.code === 'timeout';
    const problem = error instanceof Error ? error.message : String(error);
    answer({ kind: 'failed', id, status: isLate ? 'timeout' : 'error', problem });
  }
}
