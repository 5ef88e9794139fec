import type { HtmlLimits } from './limits.ts';
import { type PageSource, readPage } from './read-page.ts';

/** One page to read; the answer is its {@link PageDocument}. */
export interface ReadOrder {
  readonly bytes: Uint8Array;
  readonly source: PageSource;
  readonly limits: HtmlLimits;
}

declare const self: Worker;

/** Entry point of the thread that reads pages, which can be ended from outside. */
self.onmessage = (event: MessageEvent<ReadOrder>) => {
  const { bytes, source, limits } = event.data;
  self.postMessage(readPage(bytes, source, limits));
};
