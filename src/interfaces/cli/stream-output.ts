import type { Writable } from 'node:stream';
import type { Output } from '#src/core/base/io.ts';

/** What is asked of a stream; a terminal knows its width. */
type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** An output that can be brought to an end. */
export interface StreamOutput extends Output {
  /** Stops writing: further writes never resolve. Resolves when the current writes are complete. */
  halt(): Promise<void>;
}

/** Called with a write error: the writer either continues, or waits for the end of the process. */
type OnFailure = (error: unknown) => 'go on' | 'end';

/** Writes to a stream, as fast as its reader takes it. */
export function outputTo(stream: OutputStream, onFailure: OnFailure): StreamOutput {
  const underWay = new Set<Promise<void>>();
  let isHalted = false;
  // Each failure is heard of where the text was written; without a listener, the stream would throw it once more.
  stream.on('error', () => {});
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
    write(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (isHalted) return promise;
      underWay.add(promise);
      stream.write(text, (error) => {
        if (error && onFailure(error) === 'end') return;
        underWay.delete(promise);
        // By a turn of the event loop: where the reader takes everything at once, nobody else would hear of a signal.
        setImmediate(resolve);
      });
      return promise;
    },
    async halt() {
      isHalted = true;
      await Promise.all(underWay);
    },
  };
}
