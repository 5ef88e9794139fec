import type { Writable } from 'node:stream';
import { environment } from '#src/program/config.ts';
import type { Io, Output } from './io.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The streams and signals of this process. Close it when the command has ended, so that the process can end. */
export function openProcessIo(): Io & { close(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return {
    stdin: Bun.stdin.stream(),
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    environment: environment(),
    stop: controller.signal,
    close() {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    },
  };
}

/** What is asked of a stream; a terminal knows its width. */
type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Writes to a stream, as fast as its reader takes it. */
export function outputTo(stream: OutputStream): Output {
  // A reader that has gone away, such as `head`, is no fault of ours: the rest is dropped and the command ends normally.
  let isOpen = true;
  let waiting: (() => void)[] = [];
  const goOn = () => {
    const ready = waiting;
    waiting = [];
    for (const resolve of ready) resolve();
  };
  stream.on('drain', goOn);
  stream.on('error', () => {
    isOpen = false;
    goOn();
  });
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.columns ?? 80,
    write: (text) =>
      new Promise((resolve) => {
        if (!isOpen || stream.write(text)) resolve();
        else waiting.push(resolve);
      }),
  };
}
