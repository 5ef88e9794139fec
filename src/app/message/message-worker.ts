import { readMessage } from '#src/engine/message/read-message.ts';
import type { MessageTask } from './message-thread.ts';
import { readDrawnCodes } from './read-drawn-codes.ts';

declare const self: Worker;

/** To ask for the time costs as much as a line, so only each of so many questions does. */
const QUESTIONS_PER_LOOK = 32;

/** Entry point of the thread that reads one message, and stops where its processor time is spent. */
self.onmessage = async ({ data: { bytes, name, budgetMs } }: MessageEvent<MessageTask>) => {
  const start = process.threadCpuUsage();
  let questions = 0;
  let isSpent = false;
  const ask = () => {
    if (isSpent || questions++ % QUESTIONS_PER_LOOK > 0) return isSpent;
    const { user, system } = process.threadCpuUsage(start);
    isSpent = (user + system) / 1000 > budgetMs;
    return isSpent;
  };
  const message = await readMessage(bytes, name, ask);
  self.postMessage(message && (await readDrawnCodes(message)));
};
