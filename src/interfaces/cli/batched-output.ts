import type { Output } from '#src/core/base/io.ts';

/** Text that is written at once; a line at a time would cost a system call each. */
const BATCH_CHARACTERS = 32 * 1024;

/** How long a line may wait for others: a person, or a program that reads line by line, does not notice. */
const LINGER_MS = 10;

/** An output that gathers small texts. */
export interface BatchedOutput {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
  /** Writes what is left. */
  flush(): Promise<void>;
}

/** Gathers what is written in quick succession, and lets nothing lie. */
export function batchOutput(output: Output): BatchedOutput {
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
    async write(text) {
      pending += text;
      if (pending.length >= BATCH_CHARACTERS) await flush();
      else timer ??= setTimeout(() => void flush(), LINGER_MS);
    },
    flush,
  };
}
