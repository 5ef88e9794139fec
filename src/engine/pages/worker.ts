import { judgePage } from '#src/engine/analyzers/page.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { loadPageKnowledge, type PageKnowledge } from '#src/core/knowledge/index.ts';
import { packPage, readWhole } from './carried-page.ts';
import type { PageMessage } from './page-order.ts';
import { isStopped, tellThreadId, threadIdOf } from './thread-control.ts';

declare const self: Worker;

let knowledge: PageKnowledge | null = null;

/** Entry point of the thread that reads and judges pages, which can be ended from outside. */
self.onmessage = ({ data: { order, control } }: MessageEvent<PageMessage>) => {
  if (threadIdOf(control) === null) tellThreadId(control);
  if (order.kind === 'read') {
    const document = readPage(order.bytes, order.source, order.limits, () => isStopped(control));
    return self.postMessage(packPage(document));
  }
  knowledge ??= loadPageKnowledge();
  const { target, visit, page, hosts, ownBrands } = order;
  const value = { ...visit, document: readWhole(page) };
  const observations = { ...hosts, page: { state: 'observed', value, elapsedMs: 0 } } as const;
  self.postMessage(judgePage({ target, observations, knowledge }, ownBrands));
};
