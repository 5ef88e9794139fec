import { loadPageKnowledge, type PageKnowledge } from '#src/core/knowledge/index.ts';
import { analyzePage } from '#src/engine/analyzers/page.ts';
import { readPage } from '#src/network/html/read-page.ts';
import { type PageMessage, packPage, unpackDocument } from './page-task.ts';
import { isStopped, publishThreadId, threadIdOf } from './thread-control.ts';

declare const self: Worker;

let knowledge: PageKnowledge | null = null;

/** Entry point of the thread that reads and analyzes pages. */
self.onmessage = ({ data: { task, control } }: MessageEvent<PageMessage>) => {
  if (threadIdOf(control) === null) publishThreadId(control);
  if (task.kind === 'read') {
    const document = readPage(task.bytes, task.source, task.limits, () => isStopped(control));
    return self.postMessage(packPage(document));
  }
  knowledge ??= loadPageKnowledge();
  const { target, visit, page, hosts, configuredBrands } = task;
  const value = { ...visit, document: unpackDocument(page) };
  const observations = { ...hosts, page: { state: 'observed', value, elapsedMs: 0 } } as const;
  self.postMessage(analyzePage({ target, observations, knowledge }, configuredBrands));
};
