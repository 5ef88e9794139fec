import type { MessageLink } from '#src/engine/message/message-link.ts';
import { readInParts, readMessage } from '#src/engine/message/read-message.ts';
import { createLinkStore } from './link-store.ts';
import { mailLinks } from './mail-links.ts';
import type { MessageTask, MessageThreadAnswer } from './message-task.ts';
import { readPictureCodes } from './read-picture-codes.ts';

declare const self: Worker;

/** Interval of reading the processor time, in milliseconds, since reading it costs as much as some lines. */
const LOOK_INTERVAL_MS = 4;

/** Growth of the process after which garbage is collected: an engine lets it grow to several times that, in bytes. */
const MAX_GROWTH = 6 * 1024 * 1024;

/** Size from which on the garbage of a message is collected at once, in bytes. */
const LARGE_BYTES = 256 * 1024;

/** Entry point of the thread that reads one message, and stops where its time is spent. */
self.onmessage = async ({ data: { bytes, name, budgetMs, untilMs, trust, wants } }: MessageEvent<MessageTask>) => {
  const start = process.threadCpuUsage();
  const startMs = performance.now();
  let collectedBytes = process.memoryUsage.rss();
  let lookedMs = startMs;
  let isSpent = false;
  const ask = () => {
    const nowMs = performance.now();
    if (isSpent || nowMs - lookedMs < LOOK_INTERVAL_MS) return isSpent;
    lookedMs = nowMs;
    const { user, system } = process.threadCpuUsage(start);
    isSpent = (user + system) / 1000 > budgetMs || nowMs - startMs > untilMs;
    if (process.memoryUsage.rss() > collectedBytes + MAX_GROWTH) {
      Bun.gc(true);
      collectedBytes = process.memoryUsage.rss();
    }
    return isSpent;
  };
  if (wants === 'links') {
    const store = createLinkStore();
    const takeLinks = (links: readonly MessageLink[]) => links.forEach(store.add);
    const read = await readMessage(bytes, name, ask, takeLinks, trust);
    const result = read && mailLinks(await readPictureCodes(read, ask, 'drawn'), store);
    self.postMessage({ isPart: false, result } satisfies MessageThreadAnswer, result ? [result.links.buffer] : []);
  } else {
    for await (const { message, isPart } of readInParts(bytes, name, ask, trust)) {
      const result = message && !isPart ? await readPictureCodes(message, ask, 'all') : message;
      self.postMessage({ isPart, result } satisfies MessageThreadAnswer);
    }
  }
  // The thread would otherwise grow by the garbage of several large mails before it collects any.
  if (bytes.length > LARGE_BYTES) Bun.gc(true);
};
