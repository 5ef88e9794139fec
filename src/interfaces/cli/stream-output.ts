import type { Writable } from 'node:stream';
import type { Output } from '#src/core/base/io.ts';

/** Members of a stream in use; a terminal has a width. */
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
  // Write errors are handled by the writer; without a listener, the stream would throw them again.
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
        // Yield to the event loop: if the reader takes everything at once, signals would never be handled.
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
