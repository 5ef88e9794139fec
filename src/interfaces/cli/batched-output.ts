import type { Output } from '#src/core/base/io.ts';

/** Size of a batch: writing line by line would cost one system call each. */
const BATCH_CHARACTERS = 32 * 1024;

/** Maximum delay of a line, too short to be noticed by a reader. */
const LINGER_MS = 10;

/** Batches writes in quick succession; flushes after {@link LINGER_MS} at the latest. */
export function batchOutput(output: Output) {
  let pending = '';
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = async () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const text = pending;
    pending = '';
    if (text !== '') await output.write(text);
  };
  return {
    /** Resolves when more may be written. */
    async write(text: string) {
      pending += text;
      if (pending.length >= BATCH_CHARACTERS) await flush();
      else timer ??= setTimeout(() => void flush(), LINGER_MS);
    },
    /** Writes what is left. */
    flush,
  };
}
