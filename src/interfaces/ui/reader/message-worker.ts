import { readMarkup } from '#src/engine/message/links-in-html.ts';
import { UNREAD_MESSAGE } from '#src/engine/message/message.ts';
import { compared } from '#src/engine/message/message-link.ts';
import { compareWords } from '#src/engine/message/mismatch.ts';
import { readMessage } from '#src/engine/message/read-message.ts';
import { createReading } from '#src/engine/message/reading.ts';
import type { ReaderAnswer, ReaderOrder } from './message-reader.ts';

/** The messaging of a worker; the typings describe a window. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ReaderOrder>) => void) | null;
  postMessage(answer: ReaderAnswer): void;
}

const scope = globalThis as unknown as WorkerScope;

/** Entry point of the worker that reads one message, and leaves out what it has not read once its time is spent. */
scope.onmessage = async ({ data }) => {
  const endMs = performance.now() + data.budgetMs;
  const isSpent = () => performance.now() > endMs;
  if (data.kind === 'message') return scope.postMessage(await readMessage(data.bytes, data.name, isSpent));
  if (data.kind === 'links') {
    const links = data.links.map((link) => compared(link, compareWords));
    return scope.postMessage({ ...UNREAD_MESSAGE, links });
  }
  const reading = createReading(isSpent, compareWords);
  const { links, nonWeb, pictures } = readMarkup(data.html, reading);
  const traits = { text: reading.takeText(), isMarkupOnly: false, mail: null };
  const { sentences, isWhole } = reading;
  scope.postMessage({ ...UNREAD_MESSAGE, kind: 'html', traits, links, nonWeb, pictures, sentences, isWhole });
};
