import { openEngine, STORE_NONE } from '#src/app/engine.ts';
import type { Line } from '#src/core/base/files/line-reader.ts';
import { createLogger } from '#src/core/base/logger.ts';
import { checkLines } from './check-lines.ts';
import type { LineThreadStart } from './line-threads.ts';

declare const self: Worker;

/** Without lookups there are no failures to log. */
const logger = createLogger('error', () => {});

/**
 * Entry point of a thread that checks lines without a network: the first message has the options, each further one a
 * batch.
 */
self.onmessage = ({ data: start }: MessageEvent<LineThreadStart>) => {
  const engine = openEngine(start.config, { store: STORE_NONE, logger });
  self.onmessage = async ({ data: lines }: MessageEvent<readonly Line[]>) => {
    self.postMessage(await checkLines(lines, await engine, start));
  };
};
