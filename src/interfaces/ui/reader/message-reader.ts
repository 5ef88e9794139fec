import { type Message, UNREAD_MESSAGE } from '#src/engine/message/message.ts';
import type { MessageLink } from '#src/engine/message/message-link.ts';

/** Message to the worker: a file or a text, the markup of rich text, or links whose words are to be compared. */
export type ReaderOrder = { readonly budgetMs: number } & ReaderInput;

/** Input of the reader. */
export type ReaderInput =
  | { readonly kind: 'message'; readonly bytes: Uint8Array<ArrayBuffer>; readonly name: string }
  | { readonly kind: 'markup'; readonly html: string }
  | { readonly kind: 'links'; readonly links: readonly MessageLink[] };

/** The message that was read; null if the input is not text. */
export type ReaderAnswer = Message | null;

/** Time for any message and for each MiB of it, in milliseconds; a mail of 1 MB takes a tenth of that on a phone. */
const BUDGET_MS = 4000;
const BUDGET_MS_PER_MIB = 4000;

/** A worker that goes so far beyond its budget has not asked for it, and is ended. */
const PATIENCE = 2;

/** Only one message is read at a time: each reader holds a copy of its own. */
let latest: Promise<unknown> = Promise.resolve();

/**
 * Reads a message or markup in a worker, so that the page stays responsive, within a budget that grows with its size.
 * If the budget is exceeded, the rest is left out and `isWhole` is false.
 *
 * @throws Error if the worker does not come from the service
 */
export function readApart(input: ReaderInput): Promise<ReaderAnswer> {
  const read = latest.then(() => readInWorker(input));
  latest = read.catch(() => {});
  return read;
}

async function readInWorker(input: ReaderInput): Promise<ReaderAnswer> {
  const { length: size } = input.kind === 'markup' ? input.html : input.kind === 'links' ? input.links : input.bytes;
  const budgetMs = BUDGET_MS + BUDGET_MS_PER_MIB * (size / 1024 ** 2);
  const { promise, resolve, reject } = Promise.withResolvers<ReaderAnswer>();
  const worker = new Worker(workerAddress());
  worker.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`the reader of messages failed: ${message}`));
  worker.postMessage({ ...input, budgetMs } satisfies ReaderOrder);
  const timer = setTimeout(() => resolve(UNREAD_MESSAGE), PATIENCE * budgetMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

/** Trusted Types (§3.2), which the DOM typings lack: creates script URLs from text. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string };
}

/** The only policy of this name that the page's CSP allows; it always returns the same address. */
let policy: { createScriptURL(text: string): string } | null = null;

/** The address of the worker's script, which the document names. */
function workerAddress(): string {
  const path = document.querySelector<HTMLMetaElement>('meta[name=reader]')?.content ?? '';
  const rules = { createScriptURL: () => path };
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('reader', rules) ?? rules;
  return policy.createScriptURL(path);
}
