import type { Line } from '#src/core/base/files/line-reader.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { KEEP_NONE, openEngine } from '#src/app/engine.ts';
import { checkLines } from './check-lines.ts';
import type { LineThreadStart } from './line-threads.ts';

declare const self: Worker;

/** Where nothing is looked up no look can fail, which is all that there would be to tell. */
const logger = createLogger('error', () => {});

/** Entry point of a thread that checks lines without a network: first it is told how, then it gets batch after batch. */
self.onmessage = ({ data: start }: MessageEvent<LineThreadStart>) => {
  const engine = openEngine(start.config, { keep: KEEP_NONE, logger });
  self.onmessage = async ({ data: lines }: MessageEvent<readonly Line[]>) => {
    self.postMessage(await checkLines(lines, await engine, start));
  };
};
