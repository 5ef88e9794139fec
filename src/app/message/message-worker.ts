import { readInParts } from '#src/engine/message/read-in-parts.ts';
import { mailLinks } from './mail-links.ts';
import type { MessageAnswer, MessageTask } from './message-task.ts';
import { readPictureCodes } from './read-picture-codes.ts';

declare const self: Worker;

/** To ask for the time costs as much as a line, so only each of so many questions does. */
const QUESTIONS_PER_LOOK = 32;

/** Size from which on the garbage of a message is collected at once, in bytes. */
const LARGE_BYTES = 256 * 1024;

/** Entry point of the thread that reads one message, and stops where its processor time is spent. */
self.onmessage = async ({ data: { bytes, name, budgetMs, wants } }: MessageEvent<MessageTask>) => {
  const start = process.threadCpuUsage();
  let questions = 0;
  let isSpent = false;
  const ask = () => {
    if (isSpent || questions++ % QUESTIONS_PER_LOOK > 0) return isSpent;
    const { user, system } = process.threadCpuUsage(start);
    isSpent = (user + system) / 1000 > budgetMs;
    return isSpent;
  };
  for await (const { message: read, isPart } of readInParts(bytes, name, ask)) {
    const message = read && !isPart ? await readPictureCodes(read, ask, wants === 'links' ? 'drawn' : 'all') : read;
    const found = wants === 'links' && message !== null ? mailLinks(message) : message;
    self.postMessage({ isPart, found } satisfies MessageAnswer);
  }
  // The thread would otherwise grow by the garbage of several large mails before it collects any.
  if (bytes.length > LARGE_BYTES) Bun.gc(true);
};
